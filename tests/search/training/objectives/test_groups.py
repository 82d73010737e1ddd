import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from designsearch.search.training.objectives.groups import advantages, varied

REWARDS = st.lists(st.floats(0, 1), min_size=2, max_size=10)


@pytest.mark.parametrize("name", ["equal", "varied"])
def test_the_reference_filter(vectors, name):
    case = vectors["constant_reward_filter"][name]
    assert varied(case["rewards"]) is case["keep(ptp>1e-6)"]
    assert bool(np.std(case["rewards"]) > 0) is case["np.std>0"], "the deviation alone would keep both"


def test_the_reference_advantages(vectors):
    case = vectors["pa_dapo"]
    found = advantages([episode["R"] for episode in case["group"]])
    assert found == pytest.approx(case["A_ddof0"], abs=1e-9)


def test_the_spread_must_be_above_a_millionth():
    assert not varied([0.0, 1e-6])
    assert varied([0.0, 1.1e-6])
    assert not varied([0.5])
    assert not varied([])


def test_three_episodes_by_hand():
    assert advantages([0.0, 0.0, 1.0]) == pytest.approx([-(0.5**0.5), -(0.5**0.5), 2**0.5], abs=1e-12)


@given(REWARDS)
def test_they_have_mean_0_and_population_deviation_1(rewards):
    assume(varied(rewards))
    found = advantages(rewards)
    assert found.mean() == pytest.approx(0, abs=1e-9)
    assert found.std() == pytest.approx(1, abs=1e-9)


@given(REWARDS, st.floats(0.1, 10), st.floats(-1, 1))
def test_scale_and_origin_of_rewards_do_not_matter(rewards, scale, origin):
    moved = [scale * reward + origin for reward in rewards]
    assume(np.ptp(rewards) > 1e-3 and varied(moved))
    assert advantages(moved) == pytest.approx(advantages(rewards), abs=1e-6)


def test_equal_rewards_have_no_advantages():
    with pytest.raises(ValueError, match="leave the group out"):
        advantages([0.1, 0.1, 0.1])


@pytest.mark.parametrize("call", [varied, advantages])
def test_a_reward_that_is_not_finite_is_refused(call):
    with pytest.raises(ValueError, match="not all finite"):
        call([0.1, float("nan")])


def test_a_reward_at_the_mean_has_no_advantage_whatever_the_rounding():
    assert advantages([0.8, 0.9, 0.85])[2] == 0.0
    assert advantages([0.1, 0.3, 0.2, 0.2])[2:].tolist() == [0.0, 0.0]
