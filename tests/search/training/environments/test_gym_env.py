"""The environment in Gymnasium itself."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from environment_fakes import GOLD, QUESTIONS, world

from designsearch.dsl.problems import UserError
from designsearch.runtime.episodes.states import MaskedActionError
from designsearch.search.training.environments.gym_env import gym_env
from designsearch.search.training.extra import INSTALL


def test_without_gymnasium_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.setattr("designsearch.search.training.extra.find_spec", lambda name: None)
    with pytest.raises(UserError, match="gymnasium is not installed"):
        gym_env(world(), GOLD)


@pytest.fixture
def env():
    pytest.importorskip("gymnasium", reason=f"needs {INSTALL}")
    return gym_env(world(), GOLD, shown=2)


def act(kind, query="", notes=(0, 0)):
    return {"type": ("search", "add", "skip", "stop").index(kind), "query": query, "notes": np.array(notes, np.int8)}


def test_gymnasium_s_own_checks_pass(env):
    """With actions that the mask allows: a drawn one may be one that raises."""
    from gymnasium.utils import env_checker as check

    check.check_reset_seed_determinism(env)
    check.check_reset_options(env)
    check.check_reset_return_info_deprecation(env)
    check.check_seed_deprecation(env)
    check.check_reset_return_type(env)
    check.check_space_limit(env.action_space, "action")
    check.check_space_limit(env.observation_space, "observation")
    env.action_space.sample = lambda: act("search", "kayak")
    check.check_step_determinism(env)
    env.action_space.sample = lambda: act(env._episode.state.allowed[0], "kayak", (1, 0))
    check.check_returned_data_not_reused(env)


def test_an_episode_by_hand(env):
    observed, info = env.reset(seed=0, options={"row": 0})
    assert observed["question"] == QUESTIONS[0]
    assert info["action_mask"].tolist() == [1, 0, 0, 1]
    observed, reward, ended, cut, info = env.step(act("search", "kayak"))
    assert (observed["mode"], observed["candidates"]) == (1, (0, 2))
    assert (reward, ended, cut) == (pytest.approx(94 / 99), False, False)
    assert info["action_mask"].tolist() == [0, 1, 1, 0]
    assert info["action_mask"].dtype == np.int8
    observed, reward, *_ = env.step(act("add", notes=(0, 1)))
    assert (observed["notes"], reward) == ((2,), 1.0)
    _, _, ended, _, info = env.step(act("stop"))
    assert ended
    assert info["episode_reward"] == pytest.approx((94 / 99 + 2) / 3)
    assert info["action_mask"].tolist() == [0, 0, 0, 0]


def test_what_the_mask_forbids_raises(env):
    env.reset(options={"row": 0})
    for action in (act("add", notes=(1, 1)), act("skip")):
        with pytest.raises(MaskedActionError):
            env.step(action)
    env.step(act("search"))
    with pytest.raises(MaskedActionError, match="add without a note"):
        env.step(act("add"))


def test_masked_random_actions_end_and_stay_in_the_spaces(env):
    for seed in range(12):
        observed, info = env.reset(seed=seed)
        env.action_space.seed(seed)
        ended = False
        for _ in range(20):
            assert observed in env.observation_space
            action = env.action_space.sample()
            assert action in env.action_space
            action["type"] = env.action_space["type"].sample(info["action_mask"])
            action["notes"][0] = 1
            observed, reward, ended, _, info = env.step(action)
            assert 0 <= reward <= 1
            if ended:
                break
        assert ended


def test_the_same_seed_draws_the_same_questions(env):
    def drawn():
        env.reset(seed=3)
        return [env.reset()[0]["question"] for _ in range(6)]

    first = drawn()
    assert drawn() == first
    assert set(first) == set(QUESTIONS)
