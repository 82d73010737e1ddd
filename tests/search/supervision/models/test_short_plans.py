from __future__ import annotations

from planned_move import MATERIAL, SOURCES

from designsearch.search.supervision.checks.plan_checks import check_plan
from designsearch.search.supervision.contracts import Rejection
from designsearch.search.supervision.models.numbered import Numbered
from designsearch.search.supervision.models.short_plans import short_plan

RECORDS = Numbered(SOURCES)
RENT = "How much is Ana's home a month?"


def said(answer, question=RENT, answer_type="number"):
    return {"question": question, "answer": answer, "answer_type": answer_type}


def test_one_quote_is_a_lookup_that_passes_the_checks():
    plan = short_plan(said("1,250 euros"), [(2, "1,250 euros a month")], RECORDS).plan
    assert check_plan(plan, MATERIAL) == []
    assert (plan.kind, plan.records, plan.intent) == ("lookup", ("mail-17",), RENT)
    assert plan.facts[0].value == "1,250 euros"


def test_quotes_of_two_records_are_a_bridge_that_passes_the_checks():
    quotes = [(1, "signed the lease"), (2, "The rent for Mill Lane"), (2, "is 1,250 euros")]
    plan = short_plan(said("1,250 euros"), quotes, RECORDS, about="Mill Lane").plan
    assert check_plan(plan, MATERIAL) == []
    assert (plan.kind, plan.records) == ("bridge", ("msg-81", "mail-17"))
    assert [len(fact.citations) for fact in plan.facts] == [1, 2]
    assert [fact.value for fact in plan.facts] == [None, "1,250 euros"]


def test_a_yes_needs_no_words_of_the_record():
    plan = short_plan(said("yes", "Did Ana sign a lease?", "boolean"), [(1, "signed the lease")], RECORDS).plan
    assert plan.answer is True
    assert check_plan(plan, MATERIAL) == []


def test_what_is_quoted_must_stand_there():
    reading = short_plan(said("900"), [(2, "900 euros"), (9, "x")], RECORDS)
    assert reading.plan == Rejection("check", "quote not in the record", "record 2 does not say '900 euros'")
    assert reading.unknown == 1


def test_without_an_answer_there_is_no_plan():
    reading = short_plan(said(None), [(2, "1,250 euros")], RECORDS)
    assert reading.plan == Rejection("question", "nothing worth asking")


def test_without_quotes_there_are_no_facts():
    reading = short_plan(said("900"), [(9, "x")], RECORDS)
    assert reading.unknown == 1
    assert "no facts" in [fault.reason for fault in check_plan(reading.plan, MATERIAL)]
