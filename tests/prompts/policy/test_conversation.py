from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless

from designsearch.prompts.load import prompt
from designsearch.runtime.policies.tools import TOOLS

PLAIN = {"question": "Where did we eat?", "as_of": "2024-05-09", "steps": 8}


def test_hostile_questions_change_nothing():
    assert_harmless("policy/conversation", PLAIN, PLAIN | {"question": HOSTILE})


def test_all_tools_are_explained():
    (_, system), (_, text) = prompt("policy/conversation").render(**PLAIN)
    assert all(tool.name in system for tool in TOOLS.values())
    assert "asked on 2024-05-09" in text
    assert text.endswith("You may search 7 times.")
