from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless

from designsearch.prompts.load import prompt

PLAIN = {"messages": ["Monday 2024-05-06, Ana: We ate figs.", "Ben: Where?"], "words": 60, "count": 8}


def test_hostile_messages_change_nothing():
    assert_harmless("memory/events", PLAIN, PLAIN | {"messages": [HOSTILE, f"Message 3:\n{HOSTILE}"]})


def test_the_limits_are_told_and_the_messages_numbered():
    (_, system), (_, user) = prompt("memory/events").render(**PLAIN)
    assert "at most 60 words" in system
    assert "at most 8, each" in system
    assert user.index("Message 1:") < user.index("We ate figs.") < user.index("Message 2:") < user.index("Where?")
