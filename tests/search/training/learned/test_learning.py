"""Rollouts, the supervised selector and learning from rewards, on a history with something to learn."""

from dataclasses import replace

import numpy as np
import pytest
from toy_bench import bench

from designsearch.runtime.policies.rollout import rollout
from designsearch.runtime.policies.weights import Weights
from designsearch.search.training.judging.opinions import Opinion
from designsearch.search.training.judging.quality import judgement
from designsearch.search.training.learned.climb import heads_of, with_heads
from designsearch.search.training.learned.gradients import Heads, gradient, token_logps
from designsearch.search.training.learned.learning import Schedule, learn
from designsearch.search.training.learned.level import calibrated, outcomes
from designsearch.search.training.learned.policy_training import split, train_policy, unlearned
from designsearch.search.training.learned.sampling import sample
from designsearch.search.training.learned.selector import fit_selector, pools

START = Weights(
    tokens=8,
    selector={"question_mark": 0.0, "bm25": 0.0},
    go_on={"always": 2.0, "rank": -1.0},
    decide={"question": {"first": 4.0}, "stop": {"always": 1.0}},
)


@pytest.fixture(scope="module")
def toy():
    return bench()


def recall(toy, weights, rows):
    return np.mean([one.recall for one in outcomes([toy], [rows], weights)])


def test_sampled_choices_have_the_log_probabilities_that_the_tape_gives_again(toy):
    roomy = replace(START, tokens=100)
    (group,) = sample(toy, roomy, [3], 6, np.random.default_rng(0))
    for tape, old in zip(group.tapes, group.old, strict=True):
        np.testing.assert_allclose(token_logps(heads_of(START), tape), old, atol=1e-12)
    assert len({len(old) for old in group.old}) > 1


def test_the_gradient_of_log_probabilities_is_that_of_finite_differences(toy):
    chance = np.random.default_rng(1)
    groups = sample(toy, replace(START, tokens=100), [0, 1, 2], 4, chance)
    shape = heads_of(START)
    flat = chance.normal(size=shape.flat().size)
    tapes = [tape for group in groups for tape in group.tapes]
    slopes = [chance.normal(size=len(token_logps(shape, tape))) for tape in tapes]

    def value(at):
        return sum(own @ token_logps(shape.like(at), tape) for tape, own in zip(tapes, slopes, strict=True))

    found = sum(gradient(shape.like(flat), tape, own).flat() for tape, own in zip(tapes, slopes, strict=True))
    step = 1e-6
    for place in range(len(flat)):
        moved = np.zeros(len(flat))
        moved[place] = step
        assert found[place] == pytest.approx((value(flat + moved) - value(flat - moved)) / (2 * step), abs=1e-5)


class Choosy:
    """Judges the first episode of three, and gives no opinion of the others."""

    fingerprint = "choosy"

    def judge(self, episodes):
        return [
            Opinion(judgement((step.action.type, 50) for step in one.trajectory.steps)) if i % 3 == 0
            else Opinion(failure="no")
            for i, one in enumerate(episodes)
        ]  # fmt: skip

    def told(self):
        return ""


def test_what_the_judge_cannot_judge_is_left_out_of_its_group(toy):
    groups = sample(toy, START, [0, 1], 6, np.random.default_rng(0), Choosy())
    assert [len(group.episodes) for group in groups] == [2, 2]
    for group in groups:
        assert len(group.rewards) == len(group.tapes) == len(group.old) == 2
        assert group.values == pytest.approx(49 / 99)


def test_heads_go_into_weights_and_come_back():
    flat = np.arange(heads_of(START).flat().size, dtype=float)
    heads = heads_of(START).like(flat)
    assert isinstance(heads, Heads)
    np.testing.assert_array_equal(heads_of(with_heads(START, heads)).flat(), flat)


def test_a_policy_decides_alike_without_chance_and_draws_alike_from_one_seed(toy):
    rows = np.arange(4)
    first, _ = toy.episodes(START, rows, None)
    assert first == toy.episodes(START, rows, None)[0]
    drawn, policy = toy.episodes(START, rows, np.random.default_rng(5))
    assert drawn == toy.episodes(START, rows, np.random.default_rng(5))[0]
    assert rollout(policy.world, policy) != drawn  # the source of chance has gone on


def test_rewards_alone_raise_the_recall_of_questions_that_were_not_learnt_from(toy):
    train, held_out = list(range(12)), list(range(12, 20))
    before = recall(toy, START, held_out)
    schedule = Schedule(iterations=12, questions=12, group=8, look=4, rate=0.15, tokens=8, seed=1)
    learnt = learn([toy], [train], [held_out], START, schedule)
    assert before <= 0.3
    assert learnt.before <= 0.3
    assert learnt.recall >= 0.9
    assert learnt.weights.pick["question_mark"] < -0.5
    looks = [point["held_out"]["played"] for point in learnt.curve if "held_out" in point]
    assert len(looks) == 4
    for kind in ("add", "stop"):
        rewards = [look["reward_by_type"][kind] for look in looks]
        assert rewards[-1] > rewards[0] + 0.2, kind
    assert looks[-1]["kept"] > looks[0]["kept"]
    assert looks[-1]["found"] >= looks[-1]["kept"]
    assert looks[-1]["answered"] == pytest.approx(looks[-1]["kept"]), "what tells of the topic says the answer"
    assert looks[-1]["answered"] > looks[0]["answered"]
    assert set(learnt.curve[0]) == {"round", "held_out", "played", "groups_kept"}
    assert set(learnt.curve[0]["played"]) >= {"reward_by_type", "actions", "queries", "found", "kept", "observed"}


def test_the_selector_learns_what_tells(toy):
    weights = fit_selector([toy], [range(12)])
    assert weights.selector["question_mark"] < -1
    (units,) = pools(toy, [15])
    assert sorted(units.tolist()) == [60, 61, 62, 63]


def test_tokens_are_met_by_the_bias_alone(toy):
    level, reached = calibrated(
        [toy], [range(20)], Weights(100, START.selector, go_on=START.go_on, decide=START.decide), 14
    )
    assert np.mean([one.tokens for one in reached]) == pytest.approx(14, abs=4)
    assert {name for name in level.go_on if level.go_on[name] != START.go_on[name]} == {"always"}


@pytest.mark.parametrize("sizes", [(81, 80), (1,) * 8, (3, 3, 3), (4,)])
def test_a_quarter_of_all_questions_is_held_out_however_they_lie(sizes):
    train, held_out = split([range(size) for size in sizes], seed=3)
    assert sum(map(len, held_out)) == sum(sizes) // 4
    for own, other, size in zip(train, held_out, sizes, strict=True):
        assert sorted(own + other) == list(range(size))
        assert abs(len(other) - size / 4) <= 1
    assert split([range(size) for size in sizes], seed=3) == (train, held_out)


def test_rewards_alone_teach_a_policy_that_knows_nothing(toy):
    blank = unlearned(("question_mark", "bm25"), 8)
    learnt = learn([toy], [range(12)], [range(12, 20)], blank, Schedule(iterations=12, rate=0.15, tokens=8, seed=1))
    assert learnt.before <= 0.3
    assert learnt.recall >= 0.9


def test_training_keeps_the_better_of_the_two_and_says_so(toy):
    made = train_policy([toy], Schedule(iterations=2, questions=4, look=2, tokens=8))
    told = made.weights.about["held_out_recall"]
    assert told["supervised"] == pytest.approx(1.0)
    assert made.weights.about["rewards"] == "rule"
    assert made.weights.about["kept"] == ("from_rewards" if told["from_rewards"] > told["supervised"] else "supervised")
    assert recall(toy, made.weights, range(20)) == pytest.approx(1.0)


def test_without_rounds_nothing_was_learnt_from_rewards(toy):
    made = train_policy([toy], Schedule(iterations=0, tokens=8))
    assert made.weights.about["held_out_recall"]["from_rewards"] is None
    assert made.weights.about["kept"] == "supervised"
