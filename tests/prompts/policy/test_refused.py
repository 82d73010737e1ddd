from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless

from designsearch.prompts.load import prompt


def test_hostile_reasons_change_nothing():
    assert_harmless("policy/refused", {"reasons": ["no turn 7"]}, {"reasons": [HOSTILE]})


def test_each_reason_is_told():
    ((author, text),) = prompt("policy/refused").render(reasons=["no turn 7", "no turn 8"])
    assert author == "user"
    assert text.index("no turn 7") < text.index("no turn 8")
