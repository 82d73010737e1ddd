"""Placeholders in the place of personal data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.fold import EventLog
from designsearch.runtime.privacy.redact import KINDS, Redactor, kinds_of, redact
from designsearch.runtime.records import Evidence, Question, Record

ANA, BEN = "ana@example.com", "ben@example.org"


def test_a_value_has_the_same_placeholder_wherever_it_stands():
    redactor = Redactor()
    first = redactor(Record("1", f"From {ANA} to {BEN}", author=ANA, session=f"{ANA}, {BEN}"))
    second = redactor(Record("2", f"{BEN.upper()} called +1 202-555-0143", author="Ben"))
    assert (first.text, first.author, first.session) == (
        "From [email 1] to [email 2]", "[email 1]", "[email 1], [email 2]",
    )  # fmt: skip
    assert second.text == "[email 2] called [phone 1]"
    assert second.author == "Ben"


def test_ids_still_fit_together_and_two_stay_two():
    redactor = Redactor()
    events = [
        redactor(Record("<A@example.com>", "Hello")),
        redactor(Record("<a@example.com>", "Hi", reply_to="<A@example.com>", refs=("<A@example.com>", "7"))),
        redactor(Record("7", "No address")),
    ]
    assert len({event.id for event in events}) == 3
    assert events[1].reply_to == events[0].id == events[1].refs[0]
    assert events[1].refs[1] == events[2].id == "7"
    assert "example" not in repr(events)
    assert EventLog(events).report.oddities == []


def test_meta_is_cleaned_all_the_way_down_and_its_keys_say_what_stands_there():
    meta = {
        "to": [ANA, {"cc": BEN}], ANA: 3, "password": "open sesame", "phone": 2025550143, "n": 5, "ok": True,
        "when": "2024-05-01", "none": None, "card": 4111111111111111,
    }  # fmt: skip
    assert redact(Record("1", "", meta=meta)).meta == {
        "to": ["[email 1]", {"cc": "[email 2]"}], "[email 1]": 3, "password": "[secret 1]", "phone": "[phone 1]",
        "n": 5, "ok": True, "when": "2024-05-01", "none": None, "card": "[card 1]",
    }  # fmt: skip


def test_times_event_and_scope_stay():
    record = Record("1", "x", time="2024-03-01T09:30+02:00", known_at="2024-04", event="edit", scope="agent")
    assert redact(record) == record


def test_placeholders_of_an_earlier_pass_keep_their_meaning():
    redactor = Redactor()
    assert redactor.text(f"[email 1] wrote to {ANA}") == "[email 1] wrote to [email 2]"


def test_only_the_kinds_that_are_asked_for():
    redactor = Redactor(kinds_of("phone, email"))
    assert redactor.text(f"{ANA} 198.51.100.4") == "[email 1] 198.51.100.4"
    assert kinds_of("") == tuple(KINDS)


def test_an_unknown_kind_is_refused_with_the_nearest_one():
    with pytest.raises(UserError, match=r"no kind 'emails' \(did you mean email\?\); the kinds are secret, email"):
        kinds_of("emails")


def test_the_report_counts_and_never_shows_a_value():
    redactor = Redactor()
    redactor.text(f"{ANA} {ANA} {BEN} password: hunter2")
    assert redactor.report()["email"] == {"replaced": 3, "distinct": 2}
    assert redactor.line() == "replaced by placeholders: 1 secret (1 distinct), 3 email (2 distinct)"
    assert Redactor().line() == "replaced by placeholders: nothing was found"


def test_a_question_is_cleaned_as_its_evidence_is():
    redactor = Redactor()
    record = redactor(Record("<m1@example.com>", f"Write to {ANA}."))
    question = redactor.question(
        Question("q", "Whom to write to?", ANA, evidence=(Evidence("<m1@example.com>", f"Write to {ANA}."),))
    )
    assert question.evidence[0] == Evidence(record.id, record.text)
    assert question.answer == "[email 1]"


@given(st.text(max_size=80))
def test_any_text_is_taken_and_a_second_pass_changes_nothing(text):
    once = Redactor().text(text)
    assert Redactor().text(once) == once
