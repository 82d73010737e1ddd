import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designsearch.runtime.episodes.states import ACTION_TYPES
from designsearch.search.training.judging.quality import judgement
from designsearch.search.training.reward_model.categorical_reward import CategoricalReward
from designsearch.search.training.reward_model.reward_training import (
    Example,
    Optimiser,
    Pair,
    dpo_loss,
    sft_loss,
    train_dpo,
    train_sft,
)
from designsearch.search.training.reward_model.step_features import feature_names

SEEDS = st.integers(0, 2**31)


def drawn(chance, episodes=4):
    """Episodes with two judgements of each, drawn at random."""
    made = []
    for _ in range(episodes):
        kinds = [ACTION_TYPES[int(i)] for i in chance.integers(4, size=int(chance.integers(1, 6)))]
        steps = [(kind, chance.normal(size=len(feature_names(kind)))) for kind in kinds]
        one, other = (
            judgement(
                [(kind, int(score)) for kind, score in zip(kinds, chance.integers(1, 101, len(kinds)), strict=True)]
            )
            for _ in range(2)
        )
        made.append(Pair(steps, one, other))
    return made


def assert_slopes(loss, model, chance):
    """The gradient agrees with central differences at some weights of every head."""
    _, slopes = loss(model)
    weights = {kind: head.weights for kind, head in model.heads.items()}
    step = 1e-5
    for kind in ACTION_TYPES:
        for _ in range(4):
            place = tuple(int(chance.integers(size)) for size in weights[kind].shape)
            values = []
            for sign in (1, -1):
                moved = {k: w.copy() for k, w in weights.items()}
                moved[kind][place] += sign * step
                values.append(loss(model.with_weights(moved))[0])
            assert slopes[kind][place] == pytest.approx((values[0] - values[1]) / (2 * step), abs=1e-6)


@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_the_gradient_of_the_first_stage_agrees_with_finite_differences(seed):
    chance = np.random.default_rng(seed)
    examples = [Example(pair.steps, pair.chosen) for pair in drawn(chance)]
    assert_slopes(sft_loss(examples), CategoricalReward.untrained(seed), chance)


@given(SEEDS, st.sampled_from([0.0, 1.0]))
@settings(max_examples=15, deadline=None)
def test_the_gradient_of_the_second_stage_agrees_with_finite_differences(seed, hold):
    chance = np.random.default_rng(seed)
    loss = dpo_loss(CategoricalReward.untrained(seed + 1), drawn(chance), hold=hold)
    assert_slopes(loss, CategoricalReward.untrained(seed), chance)


def test_the_first_loss_is_the_mean_over_steps():
    pairs = drawn(np.random.default_rng(3))
    loss, _ = sft_loss([Example(pair.steps, pair.chosen) for pair in pairs])(CategoricalReward.untrained())
    assert loss == pytest.approx(np.log(10))


def test_at_the_reference_dpo_is_log_two():
    reference, pairs = CategoricalReward.untrained(5), drawn(np.random.default_rng(4))
    assert dpo_loss(reference, pairs, hold=0.0)(reference)[0] == pytest.approx(np.log(2))


def learnable(count=60):
    """Stops whose score follows from one feature."""
    chance = np.random.default_rng(7)
    made = []
    for _ in range(count):
        features = chance.normal(size=len(feature_names("stop")))
        made.append(Example([("stop", features)], judgement([("stop", 95 if features[4] > 0 else 10)])))
    return made


def test_the_first_stage_learns_and_repeats_exactly():
    examples = learnable()
    model = train_sft(examples, Optimiser(rounds=150, rate=0.05, decay=1e-3))
    right = [model.scores(one.steps)[0][1] > 50 for one in examples]
    assert right == [one.target[0].score > 50 for one in examples]
    again = train_sft(examples, Optimiser(rounds=150, rate=0.05, decay=1e-3))
    assert again.heads["stop"].weights.tolist() == model.heads["stop"].weights.tolist()


def test_types_that_no_example_shows_stay_as_they_were():
    model = train_sft(learnable(), Optimiser(rounds=5, rate=0.05, decay=0.0))
    assert not model.heads["add"].weights.any()
    assert model.heads["stop"].weights.any()


def test_a_feature_that_never_varies_is_not_blown_up():
    steps = [("stop", np.ones(len(feature_names("stop"))))]
    model = train_sft([Example(steps, judgement([("stop", 90)]))], Optimiser(rounds=20, rate=0.05, decay=0.0))
    assert model.heads["stop"].scale.tolist() == [1.0] * len(feature_names("stop"))


def test_the_second_stage_prefers_the_chosen_and_leaves_the_reference():
    examples = learnable()
    reference = train_sft(examples)
    before = reference.heads["stop"].weights.copy()
    pairs = [Pair(one.steps, judgement([("stop", 60)]), one.target) for one in examples if one.target[0].score > 50]
    model = train_dpo(reference, pairs)
    assert dpo_loss(reference, pairs, hold=0.0)(model)[0] < np.log(2)
    assert reference.heads["stop"].weights.tolist() == before.tolist()
    assert np.mean([model.scores(pair.steps)[0][1] for pair in pairs]) < np.mean(
        [reference.scores(pair.steps)[0][1] for pair in pairs]
    )


def test_nothing_to_learn_from_is_refused():
    with pytest.raises(ValueError, match="no episode"):
        train_sft([])
    with pytest.raises(ValueError, match="no pair"):
        train_dpo(CategoricalReward.untrained(), [])
