import numpy as np
import pytest
from runtime_fakes import ask, call, memory_of, rows_of

from designsearch.runtime.indexes.static_embeddings import StaticEmbedder
from designsearch.runtime.records import NO_TIME, Queries, Query

TEXTS = ["I adopted a kitten", "the tram ticket was expensive", "", "green tea is healthy", "   ?"]


def search(questions, texts=TEXTS, **params):
    return call("cascade", "dense", ask(*questions), memory_of(texts), **params)


def cosine(a, b):
    one, other = StaticEmbedder().embed([a, b])
    return float(one.astype(np.float64) @ other)


def test_ranked_by_cosine():
    ids, scores = search(["my cat"]).of_question(0)
    assert ids[0] == 0
    assert dict(zip(ids.tolist(), scores, strict=True)) == pytest.approx(
        {i: cosine("my cat", TEXTS[i]) for i in (0, 1, 3, 4)}, abs=1e-6
    )


def test_a_text_without_content_is_never_found_and_an_empty_question_finds_nothing():
    assert 2 not in rows_of(search(["my cat"]))[0]
    assert rows_of(search([""])) == [[]]


def test_empty_store_and_k_above_its_size():
    assert rows_of(search(["cat"], [])) == [[]]
    assert len(rows_of(search(["cat"], ["cat", "dog"], k=10))[0]) == 2
    assert rows_of(search(["cat"], ["dog", "cat"], k=1)) == [[1]]


def test_equal_texts_tie_by_id():
    assert rows_of(search(["cat"], ["cat", "tea", "cat", "cat"])) == [[0, 2, 3, 1]]


def several(*queries):
    return Queries(("?",), np.array([NO_TIME]), (queries,))


def test_passages_are_averaged_with_the_question():
    m = memory_of(["kitten", "tram", "green tea"])
    asked = several(Query("question", "my cat"), Query("passage", "a tram ride", 2.0))
    made = call("cascade", "dense", asked, m)
    cat, tram = StaticEmbedder().embed(["my cat", "a tram ride"])
    mean = (cat + 2 * tram) / np.linalg.norm(cat + 2 * tram)
    expected = StaticEmbedder().embed(["kitten", "tram", "green tea"]) @ mean
    ids, scores = made.of_question(0)
    assert ids.tolist() == np.argsort(-expected).tolist()
    assert scores == pytest.approx(np.sort(expected)[::-1], abs=1e-6)


@pytest.mark.parametrize("combine", ["max", "rrf"])
def test_several_queries_kept_apart(combine):
    m = memory_of(["kitten", "tram", "green tea"])
    parts = [call("cascade", "dense", several(Query("question", q)), m).of_question(0) for q in ("cat", "train")]
    made = call("cascade", "dense", several(Query("question", "cat"), Query("passage", "train")), m, combine=combine)
    ids, scores = made.of_question(0)
    for unit, score in zip(ids, scores, strict=True):
        if combine == "max":
            expected = max(s[list(i).index(unit)] for i, s in parts)
        else:
            expected = sum(1 / (61 + list(i).index(unit)) for i, _ in parts)
        assert score == pytest.approx(expected)


def test_a_question_without_queries_finds_nothing():
    m = memory_of(["kitten"])
    for combine in ("sum", "max"):
        assert rows_of(call("cascade", "dense", several(), m, combine=combine)) == [[]]
