from datetime import date

import pytest

from designsearch.runtime.models.offline.question import read_question

TODAY = date(2024, 3, 5)


@pytest.mark.parametrize(
    ("question", "kind", "grain"),
    [
        ("When did Ana leave?", "when", "any"),
        ("On which date did Ana leave?", "when", "day"),
        ("In which month did Ana leave?", "when", "month"),
        ("What year did Ana leave?", "when", "year"),
        ("At what time does it open?", "when", "time"),
        ("When I was ill, who cooked for me?", "who", "day"),
        ("With whom did I eat?", "who", "day"),
        ("Which colleague called?", "who", "day"),
        ("Where does Ana live?", "where", "day"),
        ("Which city did Ana visit?", "where", "day"),
        ("Why did Ana leave?", "why", "day"),
        ("How did Ana feel?", "how", "day"),
        ("How many times did Ana swim?", "times", "day"),
        ("In June, on how many separate occasions did I swim?", "times", "day"),
        ("How many cats does Ana have?", "count", "day"),
        ("How much did the bike cost?", "money", "day"),
        ("How long did Ana stay?", "duration", "day"),
        ("How many weeks did Ana stay?", "duration", "day"),
        ("How long ago did Ana leave?", "ago", "day"),
        ("How many days passed between the call and the visit?", "between", "day"),
        ("Did Ana swim?", "boolean", "day"),
        ("After the storm, did Ana swim?", "boolean", "day"),
        ("Does Ana like tea or coffee?", "choice", "day"),
        ("What came first, the call or the visit?", "order", "day"),
        ("What books has Ana read?", "list", "day"),
        ("What did Ana buy?", "what", "day"),
        ("Can you remind me what Ana bought?", "what", "day"),
        ("", "what", "day"),
    ],
)
def test_the_kind_of_answer(question, kind, grain):
    asked = read_question(question, None)
    assert (asked.kind, asked.grain) == (kind, grain)


def test_the_words_to_look_for_are_stems_without_the_frame():
    asked = read_question("What kind of books did Ana read last week?", TODAY)
    assert asked.terms == ("book", "ana", "read")
    assert asked.focus == ("book",)
    assert asked.names == {"ana"}
    assert [d.iso for d in asked.dates] == ["2024-02-26/2024-03-03"]


def test_alternatives():
    assert read_question("Does Ana prefer green tea or black coffee?", None).options == ("green tea", "black coffee")
    assert read_question("What came first, the call or the visit?", None).options == ("call", "visit")


def test_who_is_asked_about():
    assert read_question("What did I buy?", None).first_person
    assert read_question("What did you suggest to me?", None).second_person
    assert not read_question("What did Ana buy?", None).first_person
    assert read_question("Who did not come?", None).negated
    assert read_question("How many weeks did it last?", None).unit == "week"
    assert read_question("Which are the latest?", None).latest
