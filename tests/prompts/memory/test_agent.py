from __future__ import annotations

import pytest
from prompt_checks import HOSTILE, assert_harmless

from designsearch.prompts.load import prompt

PLAIN = {
    "question": "Where did we eat?",
    "as_of": "2024-05-01",
    "records": [{"number": 3, "text": "In Lisbon."}],
    "left": 2,
}


@pytest.mark.parametrize("turn", ["start", "search", "read"])
def test_hostile_records_and_questions_change_nothing(turn):
    plain = PLAIN | {"turn": turn}
    assert_harmless("memory/agent", plain, plain | {"question": HOSTILE, "records": [{"number": 3, "text": HOSTILE}]})


@pytest.mark.parametrize(
    ("turn", "records", "said"),
    [
        ("start", [], "A search for the question itself finds nothing."),
        ("start", PLAIN["records"], "A search for the question itself finds:\nMemory 3:"),
        ("search", [], "The search finds nothing. Try other words."),
        ("search", PLAIN["records"], "The search finds:\nMemory 3:"),
        ("read", PLAIN["records"], "The memory, with those beside it:\nMemory 3:"),
        ("unknown", [], "There is no memory with that number."),
    ],
)
def test_each_turn_says_what_came_of_it(turn, records, said):
    _, (_, text) = prompt("memory/agent").render(**PLAIN | {"turn": turn, "records": records})
    assert said in text
    assert ("Where did we eat?" in text) == (turn == "start")


def test_the_last_call_is_announced():
    _, (_, text) = prompt("memory/agent").render(**PLAIN | {"turn": "search", "left": 1})
    assert text.endswith("One call is left: answer.")
    _, (_, text) = prompt("memory/agent").render(**PLAIN | {"turn": "search"})
    assert text.endswith("2 calls are left.")
