"""The stages of the verification: their order, their batches, and what each of them refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest
from plan_makers import PRICE, TEXTS, draft, source

from designsearch.runtime.histories.fold import fold
from designsearch.runtime.records import Record
from designsearch.search.supervision.contracts import Audit, Reading, Rejection
from designsearch.search.supervision.plans import Plan
from designsearch.search.supervision.verification.history_search import HistorySearch
from designsearch.search.supervision.verification.verify import verify
from designsearch.search.supervision.verification_settings import VerificationSettings, Verified

GOOD = Audit(True, True, {"f1": True}, {"m-1": True}, "fine")
RIGHT = Reading(True, "120 euros", ("m-1",))
UNKNOWN = Plan("the price of the piano", "number", None, answerable=False)


class Reviewer:
    """Says the same of every draft."""

    fingerprint = "scripted"

    def __init__(self, audit: Audit = GOOD) -> None:
        self.said = audit
        self.batches: list[int] = []

    def audit(self, drafts):
        self.batches.append(len(drafts))
        return [self.said] * len(drafts)


class Reader:
    """Answers by a function of the records shown."""

    fingerprint = "scripted"

    def __init__(self, script) -> None:
        self.script = script
        self.asks = []
        self.batches: list[int] = []

    def read(self, asks):
        self.batches.append(len(asks))
        self.asks += asks
        return [self.script({source.record for source in ask.sources}) for ask in asks]


def honest(shown):
    return RIGHT if "m-1" in shown else Reading()


def history(*more: tuple[str, str]) -> HistorySearch:
    records = [Record(name, text, time=time, author=author) for name, (text, time, author) in TEXTS.items()]
    return HistorySearch(fold([*records, *(Record(n, t, time="2024-04-09T10:00") for n, t in more)], "small"))


RIVAL = ("z-1", "Ulla paid 80 euros for the bike.")


def outcome(reader=honest, reviewer=GOOD, one=None, settings=VerificationSettings(), search=None):  # noqa: B008
    made = one or draft()
    return verify([made], Reviewer(reviewer), Reader(reader), search or history(RIVAL), settings)[0]


def test_what_passes_everything_is_verified():
    assert outcome() == Verified(draft())


@pytest.mark.parametrize(
    ("audit", "reason"),
    [
        (replace(GOOD, question_matches=False), "question does not match the plan"),
        (replace(GOOD, answer_supported=False), "answer not supported"),
        (replace(GOOD, facts={"f1": False}), "fact not supported"),
        (replace(GOOD, facts={}), "fact not supported"),
        (replace(GOOD, evidence={"m-1": False}), "evidence does not contribute"),
    ],
)
def test_all_of_an_audit_has_to_hold(audit, reason):
    found = outcome(reviewer=audit)
    assert isinstance(found, Rejection)
    assert (found.stage, found.reason, found.failed) == ("audit", reason, False)


@pytest.mark.parametrize(
    ("reading", "reason"),
    [
        (Reading(), "not answered"),
        (Reading(True, "119 euros", ("m-1",)), "another answer"),
        (Reading(True, "120 km", ("m-1",)), "another answer"),
        (Reading(True, "120", ("m-2",)), "evidence not cited"),
    ],
)
def test_what_is_not_recovered_is_lost(reading, reason):
    found = outcome(lambda _: reading)
    assert isinstance(found, Rejection)
    assert (found.stage, found.reason) == ("recovery", reason)


def test_further_citations_are_kept_and_no_fault():
    found = outcome(lambda shown: replace(RIGHT, citations=("m-3", "m-1")) if "m-1" in shown else Reading())
    assert isinstance(found, Verified)
    assert found.extra_citations == ("m-3",)


def test_what_is_answered_without_its_evidence_is_lost_unless_that_is_not_asked():
    always = lambda shown: replace(RIGHT, citations=tuple(sorted(shown)))  # noqa: E731
    found = outcome(always)
    assert isinstance(found, Rejection)
    assert (found.stage, found.reason) == ("necessity", "evidence not needed")
    kept = outcome(always, settings=VerificationSettings(necessity=False))
    assert isinstance(kept, Verified)
    assert kept.also_in == ("z-1",)  # the same answer elsewhere does no harm


def test_another_answer_elsewhere_is_ambiguous_if_the_text_says_it():
    def rival(shown):
        return Reading(True, "80 euros", ("z-1",)) if "z-1" in shown else honest(shown)

    found = outcome(rival)
    assert isinstance(found, Rejection)
    assert (found.stage, found.reason) == ("uniqueness", "another answer elsewhere")
    assert isinstance(outcome(rival, settings=VerificationSettings(uniqueness=False)), Verified)
    guessed = outcome(lambda shown: Reading(True, "81 euros", ("z-1",)) if "z-1" in shown else honest(shown))
    assert isinstance(guessed, Verified)


def test_what_was_written_after_the_question_is_no_other_answer():
    late = replace(draft(), as_of="2024-04-08T10:00")
    reader = Reader(honest)
    verify([late], Reviewer(), reader, history(RIVAL), VerificationSettings())
    assert all("z-1" not in {s.record for s in ask.sources} for ask in reader.asks)


@pytest.mark.parametrize("stage", ["audit", "recovery", "necessity", "uniqueness"])
def test_a_role_that_fails_finds_nothing_out(stage):
    broken = Reading(failure="no reply")

    def reader(shown):
        bundle = {"m-1", "m-2", "m-3", "m-4"}
        now = "uniqueness" if "z-1" in shown else "recovery" if shown == bundle else "necessity"
        return broken if now == stage else honest(shown)

    found = outcome(reader, Audit(failure="no reply") if stage == "audit" else GOOD)
    assert isinstance(found, Rejection)
    assert (found.stage, found.failed, found.detail) == (stage, True, "no reply")


def test_a_question_without_an_answer_must_not_be_answered_anywhere():
    one = draft(UNKNOWN, "How much did Ulla pay for the piano?")
    assert outcome(lambda _: Reading(), Audit(question_matches=True), one) == Verified(one)
    found = outcome(lambda _: RIGHT, Audit(question_matches=True), one)
    assert isinstance(found, Rejection)
    assert (found.stage, found.reason) == ("recovery", "answered, though not answerable")
    elsewhere = lambda shown: Reading(True, "80", ("z-1",)) if "z-1" in shown else Reading()  # noqa: E731
    found = outcome(elsewhere, Audit(question_matches=True), one)
    assert isinstance(found, Rejection)
    assert (found.stage, found.reason) == ("uniqueness", "answered elsewhere")


def test_each_stage_asks_once_for_all_that_are_left_and_in_order():
    alone = draft(PRICE, "How much did Ulla pay for the bike?", source("m-1"))
    lost = draft(replace(PRICE, answer="7"), "How much did Ulla pay for the bicycle?")
    reviewer, reader = Reviewer(), Reader(honest)
    found = verify([lost, alone, draft()], reviewer, reader, history(RIVAL), VerificationSettings(alone=0))
    assert [type(one) for one in found] == [Rejection, Verified, Verified]
    assert reviewer.batches == [3]
    # the bundle of one record is empty without it, which nobody need be asked about
    assert reader.batches == [3, 1, 2]


def test_the_order_of_records_is_by_chance_and_always_the_same():
    orders = []
    for seed in (1, 1, 2, 3, 4):
        reader = Reader(honest)
        one = draft()
        one = replace(one, material=replace(one.material, seed=seed))
        verify([one], Reviewer(), reader, history(), VerificationSettings())
        orders.append([source.record for source in reader.asks[0].sources])
    assert orders[0] == orders[1]
    assert len({tuple(order) for order in orders}) > 1


def test_nothing_in_nothing_out():
    assert verify([], Reviewer(), Reader(honest), history(), VerificationSettings()) == []
