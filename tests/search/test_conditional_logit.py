import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designsearch.search.conditional_logit import Candidates, fit, loss


def candidates(seed, questions=4, features=3, scale=1.0):
    """Random candidates, each question with at least one gold and one other."""
    random = np.random.default_rng(seed)
    sizes = random.integers(2, 7, questions)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    gold = random.random(offsets[-1]) < 0.4
    gold[offsets[:-1]], gold[offsets[1:] - 1] = True, False
    return Candidates(scale * random.normal(size=(offsets[-1], features)), offsets, gold)


def slow_loss(weights, data):
    """The definition, question by question."""
    total = 0.0
    for start, end in zip(data.offsets, data.offsets[1:], strict=False):
        scores, gold = data.features[start:end] @ weights, data.gold[start:end]
        others = np.exp(scores[~gold]).sum()
        total += np.mean([-math.log(math.exp(s) / (math.exp(s) + others)) for s in scores[gold]])
    return total


@given(st.integers(0, 10_000))
@settings(max_examples=50)
def test_value_and_gradient(seed):
    data = candidates(seed)
    weights = np.random.default_rng(seed + 1).normal(size=3)
    value, slope = loss(weights, data, data.shares)
    assert value == pytest.approx(slow_loss(weights, data))
    step = 1e-6
    for i in range(3):
        shift = step * np.eye(3)[i]
        numeric = (loss(weights + shift, data, data.shares)[0] - loss(weights - shift, data, data.shares)[0]) / (
            2 * step
        )
        assert slope[i] == pytest.approx(numeric, rel=1e-4, abs=1e-6)


def test_shares():
    data = Candidates(np.zeros((5, 1)), np.array([0, 3, 5]), np.array([True, True, False, True, False]))
    assert data.shares.tolist() == [0.5, 0.5, 0, 1, 0]


@given(st.integers(0, 1000), st.floats(-50, 50))
@settings(max_examples=30)
def test_what_is_the_same_for_all_candidates_of_a_question_changes_nothing(seed, shift):
    data = candidates(seed)
    shifts = np.repeat(np.arange(len(data.offsets) - 1) * shift, np.diff(data.offsets))[:, None]
    moved = Candidates(data.features + shifts, data.offsets, data.gold)
    weights = np.array([0.3, -1.0, 0.5])
    assert loss(weights, moved, data.shares)[0] == pytest.approx(
        loss(weights, data, data.shares)[0], rel=1e-6, abs=1e-8
    )


@pytest.mark.parametrize("scale", [1e3, -1e3, 1e5])
def test_scores_far_apart_stay_finite(scale):
    data = Candidates(
        np.array([[1.0], [0.5], [0.0], [-1.0], [1.0]]), np.array([0, 3, 5]), np.array([True, True, False, True, False])
    )
    value, slope = loss(np.array([scale]), data, data.shares)
    expected = {1e3: 2e3, -1e3: (1e3 + 0.5e3) / 2, 1e5: 2e5}[scale]
    assert value == pytest.approx(expected, rel=1e-6)
    assert np.isfinite(slope).all()


def test_planted_weights_are_recovered():
    random, planted = np.random.default_rng(0), np.array([2.0, -1.0, 0.0])
    rows, gold, offsets = [], [], [0]
    for _ in range(600):
        own = random.normal(size=(12, 3))
        chance = np.exp(own @ planted)
        hit = np.zeros(12, bool)
        hit[random.choice(12, p=chance / chance.sum())] = True
        rows.append(own)
        gold.append(hit)
        offsets.append(offsets[-1] + 12)
    data = Candidates(np.concatenate(rows), np.array(offsets), np.concatenate(gold))
    assert fit(data, 1e-3) == pytest.approx(planted, abs=0.2)
    assert np.abs(fit(data, 1e4)).max() < 0.1, "a strong penalty keeps weights small"
    assert fit(data, 1e-3, start=planted) == pytest.approx(fit(data, 1e-3), abs=1e-3)


def test_parts_of_the_data():
    data = candidates(5, questions=3)
    part = data.select(np.array([2, 0]))
    assert part.offsets[-1] == len(part.gold)
    sizes = np.diff(data.offsets)
    assert np.diff(part.offsets).tolist() == [sizes[2], sizes[0]]
    assert np.array_equal(part.features[: sizes[2]], data.features[data.offsets[2] : data.offsets[3]])
    assert np.array_equal(data.columns(np.array([1])).features[:, 0], data.features[:, 1])


def test_no_questions():
    data = Candidates(np.zeros((0, 2)), np.zeros(1, np.int64), np.zeros(0, bool))
    assert loss(np.ones(2), data, data.shares)[0] == 0
    assert fit(data, 1.0).tolist() == [0, 0]
