import math

import pytest
from runtime_fakes import ask, call, memory_of, ranked

from designsearch.runtime.operators.refine.features.lexical import inverse_frequencies

TEXTS = ["red kayak trip", "the red kayak", "kayaks on the river", "green tea", "", "red river trip"]
WINDOWS = "storage: {units: {op: records}, views: {all: {op: session_text}}}"
TWO_STORES = """
storage: {stores: {a: {units: {op: records}}, b: {units: {op: records}}}}
retrieval: [{op: recent, store: a}]
"""
M = memory_of([{"text": t, "session": "s" if i < 2 else f"{i}"} for i, t in enumerate(TEXTS)], WINDOWS)
ALL = ranked([0, 1, 2, 3, 4, 5])


def feature(name, question, ranking=ALL, **params):
    return call("features", name, ranking, ask(*[question] * len(ranking)), M, **params).tolist()


def idf(n, size=6):
    return math.log(1 + (size - n + 0.5) / (n + 0.5))


def test_inverse_frequencies():
    assert float(inverse_frequencies(6, 3)) == pytest.approx(idf(3))


def test_bm25_without_function_words():
    m = memory_of(TEXTS)
    found = call("cascade", "bm25", ask("kayak river"), m, k1=1.2, stopwords="english")
    expected = dict(zip(found.ids.tolist(), found.scores.tolist(), strict=True))
    assert feature("bm25", "the kayak and the kayak of the river") == pytest.approx(
        [expected.get(i, 0.0) for i in range(6)], rel=1e-6
    )


def test_coverage():
    # kayak in 3 units, trip in 2; what no unit holds does not count
    total = idf(3) + idf(2)
    expected = [1, idf(3) / total, idf(3) / total, 0, 0, idf(2) / total]
    assert feature("coverage", "kayak trips of the zebra") == pytest.approx(expected)
    assert feature("coverage", "zebra") == [0.0] * 6


def test_rarest():
    assert feature("rarest", "a green kayak trip") == pytest.approx([idf(2), idf(3), idf(3), idf(1), 0, idf(2)])


def test_bigrams():
    # "red kayak" stands in two units, "river trip" in one, and so does "kayak river": function words are left out first
    expected = [math.log1p(6 / 2), math.log1p(6 / 2), math.log1p(6 / 1), 0, 0, math.log1p(6 / 1)]
    assert feature("bigrams", "red kayak or river trip") == pytest.approx(expected)
    assert feature("bigrams", "kayak red") == [0.0] * 6


def test_bigrams_of_a_view_that_repeats_its_texts():
    # the two units of session s have one text, which counts twice
    expected = [math.log1p(6 / 2), math.log1p(6 / 2), 0, 0, 0, 0]
    assert feature("bigrams", "trip red", view="all") == pytest.approx([math.log1p(3)] * 2 + [0] * 4)
    assert feature("bigrams", "red kayak", view="all") == pytest.approx(expected)


def test_a_view():
    assert feature("coverage", "trip", view="all")[:2] == [1.0, 1.0]
    assert feature("rarest", "trip", view="all")[:2] == pytest.approx([idf(3)] * 2)


def test_candidates_only_question_by_question():
    assert feature("rarest", "green tea", ranked([3], [], [0, 3])) == pytest.approx([idf(1), 0, idf(1)])


def test_units_of_another_store_get_nothing():
    m = memory_of(["green tea", "cat"], TWO_STORES)
    for name in ("bm25", "coverage", "rarest", "bigrams", "cosine", "centered_cosine", "soft_terms", "names"):
        values = call("features", name, ranked([0, 2]), ask("some Green tea"), m)
        assert values[0] != 0
        assert values[1] == 0
