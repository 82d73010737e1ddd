import json

import pytest
from runtime_fakes import ask, call, memory_of, rows_of

from designsearch.runtime.records import Queries, Query

TEXTS = [
    "I got a C in the R class, age 7",
    "blood type O",
    "vitamin D dose",
    "dinner at 7:30",
    "what is it",
    "我喜欢绿茶",
    "他讨厌咖啡",
    "मुझे हिन्दी की किताब पसंद है",
    "ผมชอบชาเขียว",
    "я люблю зелёный чай",
    "OrderService를 다시 시작했다",
]


def search(questions, texts=TEXTS, **params):
    return rows_of(call("cascade", "bm25", ask(*questions), memory_of(texts), **params))


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("R class grade", 0),
        ("type O", 1),
        ("D", 2),
        ("7:30", 3),
        ("绿茶", 5),
        ("हिन्दी", 7),
        ("ชาเขียว", 8),
        ("ЗЕЛЁНЫЙ", 9),
        ("orderservice", 10),
        ("시작", 10),
    ],
)
def test_the_unit_with_the_words_comes_first(question, first):
    assert search([question])[0][0] == first


@pytest.mark.parametrize(
    "question", ["dinner:", 'when is "dinner', "-dinner", "(dinner", "dinner AND", "dinner~2 OR *", "{{ dinner }}"]
)
def test_a_question_is_no_query_syntax(question):
    assert 3 in search([question])[0]


@pytest.mark.parametrize("question", ["", "   ", "?!", "\ud800", "😀", "nothingofthekind"])
def test_a_question_that_shares_no_word_finds_nothing(question):
    assert search([question]) == [[]]


@pytest.mark.parametrize("engine", ["bm25s", "rank_bm25"])
@pytest.mark.parametrize("stopwords", ["none", "english"])
def test_a_question_of_stop_words_alone_still_finds(engine, stopwords):
    found = search(["what is it", "is it dinner"], engine=engine, stopwords=stopwords)
    assert found[0][0] == 4
    assert found[1] == ([4, 3] if stopwords == "none" else [3])


def test_ties_break_by_id():
    assert search(["tea"], ["cat", "tea", "tea", "a b", "tea"]) == [[1, 2, 4]]


@pytest.mark.parametrize("engine", ["bm25s", "rank_bm25"])
@pytest.mark.parametrize("texts", [["lentil soup", "tram ticket"], ["lentil", "lentil bread", "tram", "ticket"]])
def test_a_word_in_half_of_the_units(engine, texts):
    assert sorted(search(["lentil"], texts, engine=engine)[0]) == [i for i, t in enumerate(texts) if "lentil" in t]


@pytest.mark.parametrize("engine", ["bm25s", "rank_bm25"])
def test_empty_store_and_k_above_its_size(engine):
    assert search(["tea"], [], engine=engine, k=10) == [[]]
    assert search(["tea"], ["tea", "cat", "tea soup"], engine=engine, k=10) == [[0, 2]]
    assert search(["tea"], ["tea", "cat", "tea soup"], engine=engine, k=1) == [[0]]


def test_a_view_and_a_store():
    design = """
storage:
  stores:
    a: {units: {op: records}}
    b: {units: {op: records}, views: {all: {op: session_text}}}
retrieval: [{op: recent, store: a}]
"""
    entries = [{"text": "tea", "session": "s"}, {"text": "cat", "session": "s"}, {"text": "tram", "session": "t"}]
    m = memory_of(entries, design)
    assert rows_of(call("cascade", "bm25", ask("cat"), m, store="b")) == [[4]]
    assert rows_of(call("cascade", "bm25", ask("cat"), m, store="b", view="all")) == [[3, 4]]


def several(*queries):
    return Queries(("?",), ask("?").as_of, (queries,))


def test_several_queries_of_one_question():
    m = memory_of(["tea cat", "tea", "cat", "tram"])
    both = several(Query("question", "tea"), Query("keywords", "cat"), Query("passage", "tram"))
    summed = call("cascade", "bm25", both, m)
    one = call("cascade", "bm25", several(Query("question", "tea cat")), m)
    assert rows_of(summed) == rows_of(one) == [[0, 1, 2]]
    assert summed.scores.tolist() == one.scores.tolist()
    tea, cat = (call("cascade", "bm25", ask(q), m).of_question(0) for q in ("tea", "cat"))
    best = call("cascade", "bm25", both, m, combine="max")
    assert dict(zip(*map(list, best.of_question(0)), strict=True)) == pytest.approx(
        {0: tea[1][1], 1: tea[1][0], 2: cat[1][0]}
    )
    fused = call("cascade", "bm25", both, m, combine="rrf")
    assert fused.scores.tolist() == pytest.approx([2 / 62, 1 / 61, 1 / 61])


def test_weighted_terms_are_searched_as_they_are():
    m = memory_of(["kayak", "kayak river", "river river"])
    made = several(Query("keywords", "ignored words", 2.0, (("kayak", 1.0), ("river", 0.0))))
    plain = call("cascade", "bm25", several(Query("question", "kayak", 2.0)), m)
    assert call("cascade", "bm25", made, m).scores.tolist() == plain.scores.tolist()
    assert json.dumps(rows_of(call("cascade", "bm25", made, m))) == "[[0, 1]]"
