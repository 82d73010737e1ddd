"""The reviewer by rules: what it lets pass, and what it refuses for which reason."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plan_makers import PRICE, TEXTS, draft, fact, plan, source

from designsearch.search.supervision.plans import Contribution, Operation, Plan
from designsearch.search.supervision.review.reviewer import OfflineReviewer

REVIEWER = OfflineReviewer()


def audit(one):
    return REVIEWER.audit([one])[0]


def stating(statement: str, **changes):
    return draft(replace(PRICE, facts=(replace(PRICE.facts[0], statement=statement, **changes),)))


def test_a_sound_draft_holds_throughout():
    found = audit(draft())
    assert (found.answer_supported, found.question_matches) == (True, True)
    assert found.facts == {"f1": True}
    assert found.evidence == {"m-1": True}
    assert found.failure == ""


@pytest.mark.parametrize(
    "statement",
    [
        "Ulla purchased a bicycle from Otto for 120 euros.",
        "The user bought a bike from Otto for 120 euros.",
        "Ulla spoke of a bicycle (2024-03-05T10:00)",
    ],
)
def test_what_the_source_says_in_other_words_is_supported(statement):
    assert audit(stating(statement)).facts == {"f1": True}, audit(stating(statement)).reason


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("Ulla bought a bicycle from Bertil for 120 euros.", "bertil does not stand"),
        ("Bertil bought a bicycle from Otto for 120 euros.", "bertil does not stand"),
        ("Ulla bought a bicycle from Otto for 150 euros.", "150 does not stand"),
        ("Ulla bought a bicycle from Otto on 2023-03-05.", "2023-03-05 does not stand"),
        ("Ulla never bought a bicycle from Otto for 120 euros.", "denies"),
        ("Ulla's neighbour stole a cheese and was fined by the court.", "neighbour does not stand"),
        ("Ulla sold a bicycle from Otto for 120 euros.", "sold does not stand"),
        ("Ulla bought a bicycle from Otto for 120 dollars.", "120 does not stand"),
        ("Otto bought a bicycle from Ulla for 120 euros.", "the other way round"),
        ("Ulla bought a kayak from Otto for 120 euros.", "kayak does not stand"),
        (" ", "nothing is cited or stated"),
    ],
)
def test_what_the_source_does_not_say_is_not_supported(statement, says):
    found = audit(stating(statement))
    assert found.facts == {"f1": False}
    assert says in found.reason


def test_a_value_that_no_quote_says_is_not_supported():
    assert audit(stating(TEXTS["m-1"][0], value="77 euros")).facts == {"f1": False}


@pytest.mark.parametrize(
    ("statement", "day", "holds"),
    [
        ("Otto moved to Lisbon on 2024-03-08.", "2024-03-08", True),
        ("Otto moved to Lisbon.", "2024-03-08", True),
        ("Otto moved to Lisbon on 2024-03-09.", "2024-03-09", False),
        ("Otto moved to Lisbon.", "2024-03-09", False),
        ("Otto moved to Lisbon on 2024-03-10.", "2024-03-10", False),
        ("Ulla spoke of Lisbon on 2024-03-09", "2024-03-09", True),
        ("Otto moved to Lisbon today.", None, False),
        ("Otto moved to Lisbon yesterday.", None, True),
    ],
)
def test_what_was_done_yesterday_was_not_done_on_the_day_of_writing(statement, day, holds):
    moved = fact("f1", "m-2", TEXTS["m-2"][0], day, "the move", statement)
    found = audit(draft(plan([moved], "lookup", day, "date"), "On what date did Otto move to Lisbon?"))
    assert found.facts == {"f1": holds}, found.reason


def test_an_answer_that_the_operations_do_not_give_is_not_supported():
    assert not audit(draft(replace(PRICE, answer="80 eur"))).answer_supported
    circle = replace(PRICE, operations=(Operation("lookup", ("answer",), "answer", None),))
    assert not audit(draft(circle)).answer_supported


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("How much did Ulla pay for it?", "too little"),
        ("What did Ulla pay for the bike in the record above?", "does not stand alone"),
        ("Did Ulla pay 120 euros for the bike?", "gives its answer away"),
        ("When did Ulla buy the bike?", "does not ask for a number"),
        ("How much did Bertil pay for the bike?", "bertil"),
        ("How much did the opera tickets in the gallery cost?", "of the question is in plan"),
        ("How much did Ulla pay for the bike in May 2021?", "another time"),
        ("How much did it cost?", ""),
    ],
)
def test_a_question_that_asks_something_else_does_not_match(question, says):
    found = audit(draft(PRICE, question))
    assert not found.question_matches
    assert says in found.reason


@pytest.mark.parametrize("as_of", [None, "2024-04-01"])
def test_a_day_without_its_year_is_one_of_the_evidence(as_of):
    asked = [
        replace(draft(PRICE, f"On March {day}, how much did Ulla pay for the bike?"), as_of=as_of) for day in (5, 25)
    ]
    assert audit(asked[0]).question_matches, audit(asked[0]).reason
    assert not audit(asked[1]).question_matches


def test_a_record_that_adds_nothing_does_not_contribute():
    rain = fact("f0", "m-3", TEXTS["m-3"][0])
    made = replace(
        PRICE,
        facts=(rain, *PRICE.facts),
        evidence=(Contribution("m-3", "x"), *PRICE.evidence),
        operations=(Operation("bridge", ("f0", "f1"), "answer", "120 eur"),),
    )
    found = audit(draft(made))
    assert found.evidence == {"m-3": False, "m-1": True}


def test_values_that_are_worked_with_contribute():
    facts = [
        fact("f1", "m-1", TEXTS["m-1"][0], "120 euros", "the purchase"),
        fact("f2", "m-3", TEXTS["m-3"][0], "90 euros", "the sale"),
    ]
    made = plan(facts, "difference", "30 eur", "number")
    found = audit(draft(made, "What is the difference between what Ulla paid for the bike and what Ulla sold it for?"))
    assert found.evidence == {"m-1": True, "m-3": True}, found.reason


def test_of_a_question_without_an_answer_only_the_question_is_looked_at():
    made = Plan("what the cat is called", "text", None, answerable=False)
    assert audit(draft(made, "What is the name of the cat that Ulla keeps?")).question_matches
    assert not audit(draft(made, "What is its name?")).question_matches


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=200))
def test_odd_texts_are_audited(question, statement, text):
    made = replace(PRICE, facts=(replace(PRICE.facts[0], statement=statement),))
    found = audit(draft(made, question, source("m-1", text)))
    assert set(found.facts) == {"f1"}
    assert set(found.evidence) == {"m-1"}
