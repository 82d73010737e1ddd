import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runtime_fakes import call, memory_of, ranked

TEXTS = ["my cat", "my kitten", "my cat", "a tram ticket", "green tea", "", "the kitten and the cat"]
M = memory_of(TEXTS)


def naive(scores, relevance, k):
    """Pick by the formula, one after another."""
    vectors = M.store(None).vectors("raw").vectors.astype(np.float64)
    low, high = min(scores.values()), max(scores.values())
    scaled = {u: (s - low) / (high - low) if high > low else 1.0 for u, s in scores.items()}
    open_, picked = list(scores), []
    while open_ and len(picked) < k:

        def value(unit):
            nearest = max((max(0.0, float(vectors[unit] @ vectors[p])) for p, _ in picked), default=0.0)
            return relevance * scaled[unit] - (1 - relevance) * nearest

        best = max(open_, key=lambda unit: (round(value(unit), 6), -open_.index(unit)))
        picked.append((best, value(best)))
        open_.remove(best)
    return picked


@given(st.permutations(range(7)), st.sampled_from([0.0, 0.3, 0.7, 1.0]), st.integers(1, 8))
@settings(max_examples=60)
def test_against_the_formula(order, relevance, k):
    scores = {unit: 10.0 - 1.37 * i for i, unit in enumerate(order)}
    made = call("cascade", "mmr", ranked(scores), None, M, relevance=relevance, k=k)
    expected = naive(scores, relevance, k)
    assert made.ids.tolist() == [unit for unit, _ in expected]
    assert made.scores == pytest.approx([value for _, value in expected], abs=1e-6)


def test_what_repeats_the_first_comes_later():
    ids = call("cascade", "mmr", ranked({0: 1.0, 2: 0.99, 3: 0.9, 4: 0.2}), None, M, relevance=0.5).ids.tolist()
    assert ids == [0, 3, 4, 2]


def test_each_question_for_itself_and_nothing_for_nothing():
    made = call("cascade", "mmr", ranked([3, 4], [], [5]), None, M, k=1)
    assert [made.of_question(q)[0].tolist() for q in range(3)] == [[3], [], [5]]
