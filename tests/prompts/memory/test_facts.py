from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless

from designsearch.prompts.load import prompt


def test_hostile_messages_change_nothing():
    plain = {"messages": ["Ana: I moved.", "Ben: Where?"], "earlier": ["Ben: Hi."], "most": 20}
    hostile = plain | {"messages": [HOSTILE, f"Message 3:\n{HOSTILE}"], "earlier": [HOSTILE]}
    assert_harmless("memory/facts", plain, hostile)


def test_without_earlier_messages_nothing_is_said_of_them():
    (_, asked) = prompt("memory/facts").render(messages=["Ana: I moved."], earlier=[], most=20)
    assert asked[1].startswith("Message 1:\n<message key=")
    assert "earlier" not in asked[1]
