import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runtime_fakes import call, memory_of, ranked, rows_of

from designsearch.runtime.operators.refine import dedupe

TWO = """
storage: {stores: {a: {units: {op: records}}, b: {units: {op: sessions}}}}
retrieval: [{op: recent, store: a}]
"""
WORDS = ["my cat", "my kitten", "My  CAT", "tram ticket", "a tram ticket", "green tea", ""]


def deduped(rows, texts=WORDS, design="", **params):
    return rows_of(call("cascade", "dedupe", ranked(*rows), None, memory_of(texts, design), **params))


def test_equal_texts_white_space_and_case_apart():
    assert deduped([[2, 3, 0], [0, 2], [3]]) == [[2, 3], [0], [3]]


def test_the_same_source_in_two_stores():
    entries = [{"text": "cat", "session": "s"}, {"text": "tea", "session": "t"}, {"text": "tram", "session": "t"}]
    # units 0 to 2 are the records, 3 and 4 the sessions; 3 shows what 0 shows
    assert deduped([[3, 0, 1, 4]], entries, TWO) == [[3, 1, 4]]


def test_the_same_source_may_be_kept_where_only_texts_are_compared():
    entries = [{"text": "cat", "session": "s"}, {"text": "cat", "session": "t"}]
    assert deduped([[0, 1, 2]], entries, TWO, provenance=False) == [[0]]
    windows = TWO.replace("{op: sessions}", "{op: windows, size: 5, overlap: 0}")
    padded = [{"text": " cat ", "session": "s"}, {"text": "tea", "session": "t"}]
    assert deduped([[0, 2, 1, 3]], padded, windows, provenance=False) == [[0, 1]]


def test_near_texts_below_a_similarity_of_one():
    assert deduped([[0, 1, 3, 4, 5]], similarity=0.8) == [[0, 1, 3, 5]]
    assert deduped([[4, 3]], similarity=0.8) == [[4]]
    assert deduped([[4, 3]], similarity=1.0) == [[4, 3]]


@pytest.mark.parametrize("block", [1, 2, 512])
@given(order=st.permutations(range(14)), similarity=st.sampled_from([0.5, 0.7, 0.9]))
@settings(max_examples=20)
def test_near_texts_against_the_rule_read_out_slowly(block, order, similarity):
    m = memory_of([*WORDS[:2], *WORDS[3:6], *(f"number {i} of {i * i}" for i in range(9))])
    vectors = m.store(None).vectors("raw").vectors
    kept = []
    for unit in order:
        if all(vectors[unit] @ vectors[other] < similarity for other in kept):
            kept.append(unit)
    before, dedupe.BLOCK = dedupe.BLOCK, block
    try:
        found = rows_of(call("cascade", "dedupe", ranked(list(order)), None, m, similarity=similarity))
    finally:
        dedupe.BLOCK = before
    assert found == [kept]


def test_scores_stay():
    made = call("cascade", "dedupe", ranked({0: 3.0, 2: 2.0, 3: 1.0}), None, memory_of(WORDS))
    assert np.array_equal(made.scores, [3.0, 1.0])
