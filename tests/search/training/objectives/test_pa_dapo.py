import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designsearch.search.training.objectives.pa_dapo import Group, Segment, pa_dapo


def reference_group(case):
    episodes = [[Segment(step["new"], step["old"]) for step in episode["steps"]] for episode in case["group"]]
    return Group.of([episode["R"] for episode in case["group"]], episodes)


def oracle(questions, low, high):
    """Flat token-level DAPO in plain Python: each question is (rewards, token lists of (new, old)); no steps.

    Returns the objective and the number of tokens that a bound holds.
    """
    values, held = [], 0
    for rewards, episodes in questions:
        mean = math.fsum(rewards) / len(rewards)
        deviation = math.sqrt(math.fsum((reward - mean) ** 2 for reward in rewards) / len(rewards))
        terms = []
        for reward, tokens in zip(rewards, episodes, strict=True):
            advantage = (reward - mean) / deviation if abs(reward - mean) > 1e-12 else 0.0
            for new, old in tokens:
                ratio = math.exp(new - old)
                free, bound = ratio * advantage, max(1 - low, min(ratio, 1 + high)) * advantage
                terms.append(min(free, bound))
                held += bound < free
        values.append(math.fsum(terms) / len(terms))
    return math.fsum(values) / len(values), held


LOGP = st.floats(-3, -0.01)
TOKENS = st.lists(st.tuples(LOGP, LOGP), min_size=1, max_size=6)


@st.composite
def questions(draw, largest=3):
    """Some questions, each with rewards that vary and the (new, old) tokens of every episode."""
    made = []
    for _ in range(draw(st.integers(1, largest))):
        rewards = draw(st.lists(st.integers(0, 20), min_size=2, max_size=4, unique=True))
        made.append(([reward / 20 for reward in rewards], [draw(TOKENS) for _ in rewards]))
    return made


def segments(tokens, cuts=()):
    """Tokens cut into segments before each position in ``cuts``."""
    edges = [0, *sorted(cut for cut in set(cuts) if 0 < cut < len(tokens)), len(tokens)]
    parts = [tokens[start:end] for start, end in pairwise(edges)]
    return [Segment([new for new, _ in part], [old for _, old in part]) for part in parts]


def groups(made):
    return [Group.of(rewards, [segments(tokens) for tokens in episodes]) for rewards, episodes in made]


def test_the_reference_values(vectors):
    case = vectors["pa_dapo"]
    group = reference_group(case)
    found = pa_dapo([group], case["eps_low"], case["eps_high"])
    assert np.exp(group.new - group.old) == pytest.approx(
        [ratio for episode in case["ratios"] for step in episode for ratio in step], abs=1e-9
    )
    assert found.value == pytest.approx(case["J_ddof0"], abs=1e-9)
    assert found.loss == pytest.approx(case["loss_to_minimise"], abs=1e-9)
    assert found.terms[0] == pytest.approx(case["per_token_ddof0"], abs=1e-9)
    assert (found.clipped, found.tokens) == (case["n_clipped"], case["tokens"])
    assert pa_dapo([group]).value == found.value, "the bounds of the reference are the default"
    symmetric = pa_dapo([group], 0.2, 0.2)
    assert symmetric.value == pytest.approx(case["J_symmetric_clip_0.2"], abs=1e-9)
    unmoved = pa_dapo([replace(group, new=group.old)])
    assert unmoved.value == pytest.approx(case["J_at_theta_old"], abs=1e-9)
    assert unmoved.clipped == 0


@given(questions(), st.floats(0.05, 0.5), st.floats(0.05, 0.5))
@settings(max_examples=60)
def test_it_agrees_with_flat_token_level_dapo(made, low, high):
    found, (value, held) = pa_dapo(groups(made), low, high), oracle(made, low, high)
    assert found.value == pytest.approx(value, abs=1e-9)
    assert found.clipped == held


@given(questions(largest=2), st.lists(st.integers(1, 5)), st.lists(st.integers(1, 5)))
@settings(max_examples=60)
def test_it_does_not_depend_on_how_tokens_are_cut_into_steps(made, cuts, others):
    first, second = (
        pa_dapo([Group.of(rewards, [segments(tokens, where) for tokens in episodes]) for rewards, episodes in made])
        for where in (cuts, others)
    )
    assert first.value == second.value
    for one, other in zip(first.gradient, second.gradient, strict=True):
        assert np.array_equal(one, other)


@given(questions(largest=2), st.data())
@settings(max_examples=60)
def test_observations_and_forced_steps_carry_nothing(made, data):
    plain = pa_dapo(groups(made))
    mixed = []
    for rewards, episodes in made:
        shown = [Segment([math.nan, 0.0, -9.0], [-1.0, -math.inf, math.nan], generated=False)]
        parts = [[*shown, *segments(tokens, data.draw(st.lists(st.integers(1, 5)))), *shown] for tokens in episodes]
        mixed.append(Group.of(rewards, parts))
    found = pa_dapo(mixed)
    assert found.value == pytest.approx(plain.value, abs=1e-12)
    assert (found.clipped, found.tokens) == (plain.clipped, plain.tokens)
    for group, gradient, terms, wanted in zip(mixed, found.gradient, found.terms, plain.gradient, strict=True):
        assert np.array_equal(gradient[group.generated], wanted)
        assert not gradient[~group.generated].any()
        assert not terms[~group.generated].any()


@given(questions())
@settings(max_examples=40)
def test_the_gradient_agrees_with_finite_differences(made):
    step = 1e-6
    all_groups = groups(made)
    found = pa_dapo(all_groups)
    for q, group in enumerate(all_groups):
        ratio = np.exp(group.new - group.old)
        for token in range(len(group.new)):
            if min(abs(ratio[token] - 0.8), abs(ratio[token] - 1.28)) < 1e-4:
                continue  # a corner has no derivative

            def loss(shift, q=q, group=group, token=token):
                new = group.new.copy()
                new[token] += shift
                return pa_dapo([*all_groups[:q], replace(group, new=new), *all_groups[q + 1 :]]).loss

            slope = (loss(step) - loss(-step)) / (2 * step)
            assert found.gradient[q][token] == pytest.approx(slope, abs=1e-6)


def test_a_token_held_by_a_bound_has_no_gradient_and_one_that_lost_its_way_has():
    group = Group.of([1.0, 0.0], [[Segment(np.log([2.0, 0.5]), [0.0, 0.0])], [Segment(np.log([2.0, 0.5]), [0.0, 0.0])]])
    found = pa_dapo([group])
    assert found.terms[0] == pytest.approx([1.28, 0.5, -2.0, -0.8], abs=1e-12)
    assert found.gradient[0] == pytest.approx([0.0, -0.125, 0.5, 0.0], abs=1e-12)
    assert found.clipped == 2


def test_long_episodes_weigh_more_and_questions_weigh_alike():
    one = Group.of([1.0, 0.0], [[Segment([0.0] * 3, [0.0] * 3)], [Segment([0.0], [0.0])]])
    other = Group.of([1.0, 0.0], [[Segment([0.0], [0.0])], [Segment([0.0], [0.0])]])
    assert pa_dapo([one]).value == pytest.approx((3 - 1) / 4)
    assert pa_dapo([one, other]).value == pytest.approx((0.5 + 0.0) / 2)


def test_an_episode_without_tokens_still_moves_the_mean_of_its_group():
    group = Group.of([1.0, 0.0], [[Segment([0.0], [0.0])], []])
    assert pa_dapo([group]).value == pytest.approx(1.0)


def test_float32_log_probabilities_lose_nothing_more():
    new, old = np.float32([-0.3, -1.7]), np.float32([-0.4, -1.5])
    group = Group(np.array([1.0, 0.0]), np.array([0, 1]), new, old, np.array([True, True]))
    exact, _ = oracle([([1.0, 0.0], [[(float(new[0]), float(old[0]))], [(float(new[1]), float(old[1]))]])], 0.2, 0.28)
    assert pa_dapo([group]).value == pytest.approx(exact, abs=1e-12)


GOOD = Group(np.array([1.0, 0.0]), np.array([0, 1]), np.zeros(2), np.zeros(2), np.array([True, True]))


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (replace(GOOD, rewards=np.array([0.5, 0.5])), "leave the group out"),
        (replace(GOOD, generated=np.array([False, False])), "without a token"),
        (replace(GOOD, new=np.zeros(3)), "differ in shape"),
        (replace(GOOD, new=np.array([0.0, np.nan])), "not all finite"),
        (replace(GOOD, old=np.array([-np.inf, 0.0])), "not all finite"),
        (replace(GOOD, owners=np.array([0, 2])), "tokens of another"),
        (replace(GOOD, owners=np.array([0, -1])), "tokens of another"),
    ],
)
def test_a_group_that_makes_no_sense_is_refused(bad, message):
    with pytest.raises(ValueError, match=message):
        pa_dapo([GOOD, bad])


def test_no_group_has_no_objective():
    with pytest.raises(ValueError, match="no group"):
        pa_dapo([])


def test_every_episode_has_a_reward():
    with pytest.raises(ValueError, match="1 episodes have 2 rewards"):
        Group.of([1.0, 0.0], [[Segment([0.0], [0.0])]])
