import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.episodes.states import ACTION_TYPES
from designsearch.search.training.judging.trajectory_reward import trajectory_reward


def test_the_reference_values(vectors):
    case = vectors["action_balanced_reward"]
    found = trajectory_reward([tuple(step) for step in case["steps"]])
    assert found.by_type == pytest.approx(case["g_by_type"], abs=1e-9)
    assert found.value == pytest.approx(case["R"], abs=1e-9)
    assert found.value != pytest.approx(case["flat_mean_wrong"], abs=1e-3)


def test_a_type_that_is_absent_does_not_count():
    found = trajectory_reward([("stop", 100)])
    assert found.by_type == {"stop": 1.0}
    assert found.value == 1.0


STEPS = st.lists(st.tuples(st.sampled_from(ACTION_TYPES), st.integers(1, 100)), min_size=1, max_size=12)


@given(STEPS, st.randoms())
def test_it_lies_in_0_to_1_whatever_the_order_and_however_often_the_episode_is_repeated(steps, random):
    value = trajectory_reward(steps).value
    assert 0 <= value <= 1
    shuffled = steps * 2
    random.shuffle(shuffled)
    assert trajectory_reward(shuffled).value == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("score", [0, 101, -5, float("nan"), float("inf")])
def test_a_score_beyond_the_bounds_is_refused(score):
    with pytest.raises(ValueError, match=r"not in 1\.\.100"):
        trajectory_reward([("search", 50), ("stop", score)])


def test_an_episode_without_a_step_has_no_reward():
    with pytest.raises(ValueError, match="without a step"):
        trajectory_reward([])
