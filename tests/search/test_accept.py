import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.search.accept import confirm, paired, spend, strict
from designsearch.search.compare import Pairs, pair
from designsearch.search.results import Key

BETTER = ([0] * 6 + [1] * 14, [1] * 20)
LUCKY = ([0, 0] + [1] * 18, [1] * 20)
WORSE = BETTER[::-1]
SAME = (BETTER[0], BETTER[0])
UNSURE = ([0] * 20, [1] * 15 + [None] * 5)


@pytest.fixture(scope="module")
def pairs_of(make_scores):
    return lambda both: pair(make_scores(both[0]), make_scores(both[1]))


@pytest.mark.parametrize(
    ("both", "decision", "reason"),
    [
        (BETTER, "accepted", "the score rose by 0.3000"),
        (LUCKY, "accepted", "the score rose by 0.1000"),
        (WORSE, "rejected", "the score did not rise (-0.3000)"),
        (SAME, "rejected", "the score did not rise (+0.0000)"),
        (UNSURE, "indecisive", "5 of 20 questions (25%) were not measured under both designs"),
    ],
)
def test_strict(pairs_of, both, decision, reason):
    verdict = strict(pairs_of(both))
    assert verdict.decision == decision
    assert verdict.reason.startswith(reason)
    assert verdict.p is None


@pytest.mark.parametrize(
    ("both", "decision", "p", "reason"),
    [
        (BETTER, "accepted", 1 / 64, "gain +0.3000, p 0.01562 <= 0.1"),
        (LUCKY, "indecisive", 1 / 4, "gain +0.1000, but p 0.25 > 0.1"),
        (WORSE, "rejected", 1.0, "no gain (-0.3000)"),
        (SAME, "rejected", 1.0, "no gain (+0.0000)"),
        (UNSURE, "indecisive", None, "5 of 20 questions (25%) were not measured under both designs"),
    ],
)
def test_paired(pairs_of, both, decision, p, reason):
    verdict = paired(pairs_of(both), alpha=0.1, seed=0)
    assert verdict.decision == decision
    assert verdict.p == p
    assert verdict.reason.startswith(reason)
    assert not verdict.confirmed


def test_gains_and_losses_are_counted(pairs_of):
    verdict = paired(pairs_of(([0, 0, 0, 1, 1], [1, 1, 0, 0, 1])), alpha=0.1, seed=0)
    assert (verdict.gains, verdict.losses, verdict.gain) == (2, 1, pytest.approx(0.2))


def test_the_reserved_slice_is_left_alone_until_validation_passes(pairs_of):
    def never():
        pytest.fail("the reserved slice was scored")

    for both, decision in ((LUCKY, "indecisive"), (WORSE, "rejected")):
        verdict = confirm(pairs_of(both), never, confirmations=0, alpha=0.1, seed=0)
        assert (verdict.decision, verdict.confirmed) == (decision, False)


@pytest.mark.parametrize(
    ("slice_", "before", "decision"),
    [
        (BETTER, 0, "accepted"),
        (BETTER, 1, "accepted"),
        (BETTER, 2, "indecisive"),
        (SAME, 0, "rejected"),
        (LUCKY, 0, "indecisive"),
    ],
)
def test_each_confirmation_has_less_to_spend(pairs_of, slice_, before, decision):
    verdict = confirm(pairs_of(BETTER), lambda: pairs_of(slice_), confirmations=before, alpha=0.1, seed=0)
    assert (verdict.decision, verdict.confirmed) == (decision, True)
    assert f"confirmation {before + 1} on the reserved slice" in verdict.reason


def test_what_is_spent_adds_up_to_alpha():
    assert [spend(0.1, k) for k in (1, 2, 3)] == pytest.approx([0.05, 0.1 / 6, 0.1 / 12])
    assert 0.0999 < sum(spend(0.1, k) for k in range(1, 10_000)) < 0.1
    with pytest.raises(ValueError, match="counted from 1"):
        spend(0.1, 0)


def noise(rng, questions):
    """A revision equal to the base, both answered with luck."""
    skill = rng.random(questions)
    base, new = ((rng.random(questions) < skill).astype(float) for _ in range(2))
    return Pairs(tuple(Key("h", str(i)) for i in range(questions)), base, new, ())


def test_a_whole_study_of_equal_revisions_is_seldom_deceived():
    rng = np.random.default_rng(0)
    deceived = {"strict": 0, "paired": 0, "confirm": 0}
    for _ in range(100):
        accepted, confirmations = set(), 0
        for _ in range(30):
            validation = noise(rng, 100)
            accepted |= {"strict"} if strict(validation).decision == "accepted" else set()
            accepted |= {"paired"} if paired(validation, alpha=0.1, seed=0).decision == "accepted" else set()
            verdict = confirm(validation, lambda: noise(rng, 60), confirmations=confirmations, alpha=0.1, seed=0)
            confirmations += verdict.confirmed
            accepted |= {"confirm"} if verdict.decision == "accepted" else set()
        for rule in accepted:
            deceived[rule] += 1
    assert deceived["confirm"] <= 14
    assert deceived["confirm"] < deceived["paired"] <= deceived["strict"]


@given(st.lists(st.tuples(st.sampled_from([0, 1]), st.sampled_from([0, 1])), min_size=1, max_size=20))
def test_paired_never_accepts_what_strict_refuses(make_scores, both):
    pairs = pair(make_scores([b for b, _ in both]), make_scores([n for _, n in both]))
    if paired(pairs, alpha=0.1, seed=0).decision == "accepted":
        assert strict(pairs).decision == "accepted"
        assert pairs.gain > 0
