import pytest
from runtime_fakes import ask, call, memory_of, rows_of, stage

from designsearch.runtime.operators.query.prf import PrfParams
from designsearch.runtime.records import Queries, Query

TEXTS = ["kayak river trip", "kayak paddle paddle", "tram ticket", "the soup", "river bank", "green tea", "cat", "dog"]


def feedback(question="kayak", texts=TEXTS, m=None, **params):
    m = m or memory_of(texts)
    params = {"feedback": (stage("cascade", "bm25", stem="none", k=2),), "stem": "none", "max_df": 1.0, **params}
    made = call("cascade", "prf", ask(question), m, **params)
    return made.queries[0]


def shares(m, question="kayak"):
    """The weight of each of the two hits: its score over the sum."""
    scores = call("cascade", "bm25", ask(question), m, stem="none", k=2).scores
    return (scores / scores.sum()).tolist()


def test_rm3_by_hand():
    m = memory_of(TEXTS)
    first, second = shares(m)
    own, added = feedback(m=m, original=0.6)
    assert own == Query("question", "kayak")
    # P(t | R) is the sum over the hits of their weight times the share of the hit's words that are t
    model = {
        "kayak": first / 3 + second / 3,
        "river": first / 3,
        "trip": first / 3,
        "paddle": second * 2 / 3,
    }
    assert sum(model.values()) == pytest.approx(1)
    # the one word of the question has weight 1, which stands for 0.6; all others together for 0.4
    assert dict(added.terms) == pytest.approx({t: w * 0.4 / 0.6 for t, w in model.items()}, abs=1e-6)
    assert added.kind == "keywords"
    assert set(added.text.split()) == set(model)


@pytest.mark.parametrize("question", ["kayak trip", "kayak, trip?", "“kayak”—trip"])
def test_the_question_weighs_by_its_index_terms(question):
    _, added = feedback(question, original=0.5)
    assert sum(w for _, w in added.terms) == pytest.approx(2.0)


def test_a_question_in_a_script_without_spaces_weighs_by_its_terms_too():
    _, added = feedback("绿茶", ["绿茶和水", "咖啡", "水"], original=0.5)
    assert sum(w for _, w in added.terms) == pytest.approx(3.0)


def test_the_number_of_terms_and_ties_in_order_of_the_vocabulary():
    _, added = feedback(terms=2)
    assert [t for t, _ in added.terms] == ["kayak", "paddle"]
    assert sum(w for _, w in added.terms) == pytest.approx(0.4 / 0.6)


def test_common_terms_and_stop_words_are_not_added():
    _, added = feedback("kayak", ["kayak the and river", "river", "river", "cat"], max_df=0.3)
    assert [t for t, _ in added.terms] == ["kayak"]


def test_documents():
    _, added = feedback(documents=1)
    assert {t for t, _ in added.terms} == {"kayak", "river", "trip"}


@pytest.mark.parametrize("question", ["", "nothing whatsoever"])
def test_no_hits_leave_the_question_alone(question):
    assert feedback(question) == (Query("question", question),)


def test_all_weight_on_the_question_changes_no_ranking():
    m = memory_of(TEXTS)
    plain = call("cascade", "bm25", ask("kayak trip"), m)
    params = {"feedback": (stage("cascade", "bm25", k=2),), "original": 1.0}
    queries = call("cascade", "prf", ask("kayak trip"), m, **params)
    made = call("cascade", "bm25", queries, m)
    assert rows_of(made) == rows_of(plain)
    assert made.scores == pytest.approx(plain.scores)


def test_feedback_finds_what_the_question_does_not_name():
    m = memory_of(TEXTS)
    queries = call("cascade", "prf", ask("kayak"), m, feedback=(stage("cascade", "bm25", k=2),), max_df=1.0)
    assert 4 in rows_of(call("cascade", "bm25", queries, m))[0]


def test_earlier_queries_stay():
    m = memory_of(TEXTS)
    asked = ask("kayak")
    asked = Queries(asked.questions, asked.as_of, ((Query("question", "kayak"), Query("passage", "by the water")),))
    made = call("cascade", "prf", asked, m, feedback=(stage("cascade", "bm25"),))
    assert made.queries[0][:2] == asked.queries[0]
    assert len(made.queries[0]) == 3


def test_hits_of_another_store_are_not_read():
    design = """
storage: {stores: {a: {units: {op: records}}, b: {units: {op: records}}}}
retrieval: [{op: recent, store: a}]
"""
    m = memory_of(["kayak river", "tram"], design)
    cascade = (stage("cascade", "bm25", store="b"),)
    read_a = call("cascade", "prf", ask("kayak"), m, feedback=cascade, store="a", max_df=1.0).queries[0]
    read_b = call("cascade", "prf", ask("kayak"), m, feedback=cascade, store="b", max_df=1.0).queries[0]
    assert (len(read_a), len(read_b)) == (1, 2)


def test_defaults_are_those_of_the_literature():
    assert PrfParams.model_validate({"feedback": (stage("cascade", "bm25"),)}).original == 0.6
