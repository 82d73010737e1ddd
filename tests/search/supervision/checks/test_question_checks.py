"""What a program can tell about a question's words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plan_makers import PRICE, fact, material, plan

from designsearch.search.supervision.checks.question_checks import check_question
from designsearch.search.supervision.plans import Plan

TEXT = plan([fact("f1", "m-1", "Otto", "Otto", "the seller")], "lookup", "Otto")
DATE = plan([fact("f1", "m-4", "rained", "2024-04-02", "the rain")], "lookup", "2024-04-02", "date")
LIST = replace(TEXT, answer=["tea", "soap"], answer_type="list")
FIRST = plan(
    [fact("f1", "m-1", "Bought", "2024-03-05", "the purchase"), fact("f2", "m-3", "Sold", "2024-04-01", "the sale")],
    "compare",
    "the purchase",
    how="first",
)


def reasons(question: str, made: Plan = PRICE) -> set[str]:
    return {fault.reason for fault in check_question(question, made, material(), "2024-06-01")}


@pytest.mark.parametrize(
    ("question", "made"),
    [
        ("How much did Ulla pay for the bike?", PRICE),
        ("How long did it take Ulla to sell the bike for 12 coins?", PRICE),
        ("Who sold Ulla a bike after she had moved?", TEXT),
        ("Which came first, the purchase or the sale?", FIRST),
        ("¿Cuánto pagó Ulla por la bicicleta?", PRICE),
        ("乌拉买自行车花了多少钱？", PRICE),
        ("Which record did Ulla buy at the record shop?", PRICE),
        ("What did Ulla say in the text message about the house?", PRICE),
        ("Who ate the pottage?", replace(TEXT, answer="Otto")),
        ("In which month did it rain on the 2nd of May?", DATE),
        ("Did Ulla say yes?", replace(TEXT, answer=True, answer_type="boolean")),
    ],
)
def test_sound_questions_pass(question, made):
    assert reasons(question, made) == set()


@pytest.mark.parametrize(
    ("question", "made", "reason"),
    [
        ("", PRICE, "no question"),
        (" ?! ", PRICE, "no question"),
        ("Tell me the price of the bike.", PRICE, "not a question"),
        ("Price?", PRICE, "not a question"),
        ("What did " + "Ulla and " * 60 + "Otto do?", PRICE, "question too long"),
        ("What does m-1 say about the bike?", PRICE, "record id in the question"),
        ("What does record 3 say about the bike?", PRICE, "record id in the question"),
        ("What is the price of the bike in [2]?", PRICE, "record id in the question"),
        ("What is the price of f1 for Ulla?", PRICE, "record id in the question"),
        ("Did Ulla pay 120 euros for the bike?", PRICE, "answer in the question"),
        ("Did Ulla pay one hundred and twenty for the bike?", PRICE, "answer in the question"),
        ("Was it OTTO who sold Ulla the bike?", TEXT, "answer in the question"),
        ("What happened to Ulla on April 2, 2024?", DATE, "answer in the question"),
        ("What happened to Ulla on April 2?", DATE, "answer in the question"),
        ("Did Ulla buy tea, and what else?", LIST, "answer in the question"),
        ("What was the purchase that came first?", FIRST, "answer in the question"),
        ("What did Ulla buy in the record above?", PRICE, "question does not stand alone"),
        ("How much is the bike in this message?", PRICE, "question does not stand alone"),
        ("According to the passage, what did Ulla buy?", PRICE, "question does not stand alone"),
        ("What did Ulla buy, as mentioned above?", PRICE, "question does not stand alone"),
        ("How much did she pay for the bike?", PRICE, "question does not stand alone"),
        ("When did they decide?", PRICE, "question does not stand alone"),
        ("How much did that cost?", PRICE, "question does not stand alone"),
    ],
)
def test_a_fault_is_found_under_its_reason(question, made, reason):
    assert reason in reasons(question, made)


def test_a_name_that_looks_like_a_fact_may_stand_where_the_records_have_it():
    made = replace(PRICE, facts=(replace(PRICE.facts[0], id="F1"),))
    assert reasons("Who won the F1 race that Ulla saw?", made) == {"record id in the question"}
    told = material(replace(material().sources[0], text="Watched the F1 race."))
    assert check_question("Who won the F1 race that Ulla saw?", made, told) == []


@given(st.text(max_size=600))
def test_whatever_the_words_are_they_are_judged(question):
    assert all(str(fault) for fault in check_question(question, TEXT, material()))
