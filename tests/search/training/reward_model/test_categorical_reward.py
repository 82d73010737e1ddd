from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designsearch.runtime.episodes.states import ACTION_TYPES
from designsearch.search.training.judging.quality import BOUNDS, level_of
from designsearch.search.training.reward_model.categorical_reward import BINS, CategoricalReward, bin_of
from designsearch.search.training.reward_model.step_features import feature_names


def steps_of(chance, count):
    """Steps of types and features drawn at random."""
    kinds = [ACTION_TYPES[int(i)] for i in chance.integers(len(ACTION_TYPES), size=count)]
    return [(kind, chance.normal(size=len(feature_names(kind)))) for kind in kinds]


@given(st.integers(1, 100))
def test_every_score_has_one_bin_and_its_bin_one_level(score):
    low, high = BINS[bin_of(score)]
    assert low <= score <= high
    assert level_of(low) == level_of(high) == level_of(score)


def test_the_bins_cut_each_level_in_two():
    assert [bound for bounds in BOUNDS.values() for bound in bounds] == [
        bound for one, other in zip(BINS[::2], BINS[1::2], strict=True) for bound in (one[0], other[1])
    ]
    assert all(one[1] + 1 == other[0] for one, other in pairwise(BINS))


@pytest.mark.parametrize("score", [0, 101, -5])
def test_a_score_beyond_the_scale_has_no_bin(score):
    with pytest.raises(ValueError, match=r"not in 1\.\.100"):
        bin_of(score)


@given(st.integers(0, 2**31), st.integers(1, 8))
@settings(max_examples=30)
def test_probabilities_sum_to_one_and_scores_stay_on_the_scale(seed, count):
    chance = np.random.default_rng(seed)
    model = CategoricalReward.untrained(seed, spread=5.0)
    steps = steps_of(chance, count)
    for kind, features in steps:
        assert np.exp(model.heads[kind].logps(features[None, :])).sum() == pytest.approx(1.0, abs=1e-9)
    found = model.scores(steps)
    assert [kind for kind, _ in found] == [kind for kind, _ in steps]
    assert all(8 <= score <= 97 for _, score in found)


def test_what_has_learnt_nothing_takes_every_bin_for_equally_likely():
    steps = steps_of(np.random.default_rng(0), 5)
    middle = sum((low + high) / 2 for low, high in BINS) / len(BINS)
    assert [score for _, score in CategoricalReward.untrained().scores(steps)] == pytest.approx([middle] * 5)
    assert CategoricalReward.untrained(1).scores(steps) == CategoricalReward.untrained(1).scores(steps)
    assert CategoricalReward.untrained(1).scores(steps) != CategoricalReward.untrained(2).scores(steps)


def test_features_far_out_do_not_overflow():
    model = CategoricalReward.untrained(0, spread=10.0)
    features = np.full(len(feature_names("stop")), 1e6)
    assert np.isfinite(model.heads["stop"].logps(features[None, :])).all()
