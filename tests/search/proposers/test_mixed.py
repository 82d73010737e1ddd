from dataclasses import dataclass, field

import pytest

from designsearch.search.proposers.base import Attempt, Proposal, work_of
from designsearch.search.proposers.mixed import MixedProposer, upper_bounds


def attempt(proposer, gain=None, decision="rejected", work=1.0):
    return Attempt(0, Proposal("", proposer=proposer), "h", "p", decision, 0.5, gain, work=work)


def accepted(proposer, gain, work=1.0):
    return attempt(proposer, gain, "accepted", work)


@dataclass
class Fake:
    name: str
    has: bool = True
    asked: list = field(default_factory=list)

    def propose(self, state):
        self.asked.append(state)
        return Proposal(self.name, proposer=self.name) if self.has else None


@dataclass
class State:
    attempts: tuple


def first(attempts, *proposers):
    made = MixedProposer(proposers).propose(State(tuple(attempts)))
    return made and made.proposer


def test_everybody_is_asked_once_in_order():
    a, b = Fake("a"), Fake("b")
    assert first([], a, b) == "a"
    assert first([accepted("a", 0.3)], a, b) == "b"


def test_who_needs_less_work_for_the_same_gain_is_asked_first():
    history = [accepted("a", 0.1, work=3.0), accepted("b", 0.1), attempt("a", work=3.0), attempt("b")]
    assert first(history, Fake("a"), Fake("b")) == "b"
    cheap = [accepted("a", 0.1, work=1.01), accepted("b", 0.05), attempt("a", work=1.01), attempt("b")]
    assert first(cheap, Fake("a"), Fake("b")) == "a"


@pytest.mark.parametrize(
    ("calls", "evaluation", "work"), [(0, 0, 1), (0, 500, 1), (3, 0, 4), (3, 300, 1.01), (1, 1, 2)]
)
def test_work_is_an_evaluation_and_the_share_of_calls_that_proposing_took(calls, evaluation, work):
    assert work_of(Proposal("", params={"calls": calls}), evaluation) == work


def test_who_brought_more_gain_a_trial_is_asked_first():
    history = [accepted("a", 0.05), accepted("b", 0.2), attempt("a"), attempt("b")]
    assert first(history, Fake("a"), Fake("b")) == "b"


def test_gain_without_acceptance_counts_for_nothing():
    history = [attempt("a", 0.3, "indecisive"), accepted("b", 0.1), attempt("a", 0.3, "indecisive"), attempt("b", -0.2)]
    assert first(history, Fake("a"), Fake("b")) == "b"


def test_who_was_good_long_ago_and_fails_now_makes_room():
    history = [accepted("a", 0.3), attempt("b"), *[attempt("a")] * 12]
    assert first(history, Fake("a"), Fake("b")) == "b"


def test_the_next_one_is_asked_where_one_has_nothing():
    empty = Fake("a", has=False)
    assert first([], empty, Fake("b")) == "b"
    assert first([], empty, Fake("b", has=False)) is None
    assert len(empty.asked) == 2


def test_bounds_are_exact():
    worth = upper_bounds(["a", "b", "c"], [accepted("a", 0.1), attempt("b"), attempt("elsewhere")])
    # ages 2 and 1: weights 0.64 and 0.8; total 1.44; scale 0.64 * 0.1
    bonus = 0.25 * 0.064
    assert worth["a"] == pytest.approx(0.1 + bonus * (2 * 0.3646431135879093 / 0.64) ** 0.5)
    assert worth["b"] == pytest.approx(bonus * (2 * 0.3646431135879093 / 0.8) ** 0.5)
    assert worth["c"] == float("inf")


def test_bounds_count_work():
    worth = upper_bounds(["a", "b"], [accepted("a", 0.1, work=2.0), attempt("b", work=1.5)])
    # a: 0.8 * 2 of work and 0.08 of gain, b: 1.5 of work; scale 0.08 / 2
    bonus = 0.25 * 0.04
    log_total = 1.1314021114911006  # of 3.1
    assert worth["a"] == pytest.approx(0.05 + bonus * (2 * log_total / 1.6) ** 0.5)
    assert worth["b"] == pytest.approx(bonus * (2 * log_total / 1.5) ** 0.5)
