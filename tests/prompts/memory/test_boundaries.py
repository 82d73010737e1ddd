from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless

from designsearch.prompts.load import prompt

PLAIN = {"messages": ["Monday 2024-05-06, Ana: We ate figs.", "Ben: Where?"]}


def test_hostile_messages_change_nothing():
    assert_harmless("memory/boundaries", PLAIN, {"messages": [HOSTILE, f"Message 3:\n{HOSTILE}"]})


def test_the_messages_are_numbered():
    (_, system), (_, user) = prompt("memory/boundaries").render(**PLAIN)
    assert "starts" in system
    assert user.index("Message 1:") < user.index("We ate figs.") < user.index("Message 2:") < user.index("Where?")
