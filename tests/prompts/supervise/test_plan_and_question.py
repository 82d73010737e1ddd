from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless

from designsearch.prompts.load import prompt


def test_hostile_records_and_words_change_nothing():
    plain = {"records": ["Lisbon.", "Lisbon."], "connections": "Lisbon.", "wanted": "bridge"}
    assert_harmless(
        "supervise/plan_and_question", plain, plain | {"records": [HOSTILE, HOSTILE], "connections": HOSTILE}
    )


def test_it_asks_for_the_same_as_the_two_prompts_that_it_is_compared_with():
    together = prompt("supervise/plan_and_question").render(records=["a"], connections="", wanted="bridge")[0][1]
    planned = prompt("supervise/plan").render(records=["a"], connections="", wanted="bridge")[0][1]
    asked = prompt("supervise/question").render(records=["a"], plan="{}")[0][1]
    rules, _, _ = planned.partition("If the records hold nothing worth asking")
    assert together.startswith(rules)
    wanted = [line[2:].split() for line in asked.splitlines() if line.startswith(("- ", "  "))]
    words = together.split()
    for line in wanted:
        assert any(words[at : at + len(line)] == line for at in range(len(words))), line
