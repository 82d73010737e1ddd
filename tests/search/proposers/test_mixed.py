from dataclasses import dataclass, field

import pytest

from designsearch.search.proposers.base import Attempt, Proposal
from designsearch.search.proposers.mixed import MixedProposer, upper_bounds


def attempt(proposer, gain=None, decision="rejected"):
    return Attempt(0, Proposal("", proposer=proposer), "h", "p", decision, 0.5, gain)


def accepted(proposer, gain):
    return attempt(proposer, gain, "accepted")


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
