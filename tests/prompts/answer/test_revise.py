from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless

from designsearch.prompts.load import prompt


def test_hostile_memories_questions_drafts_and_problems_change_nothing():
    plain = {"question": "Where?", "context": "Lisbon.", "draft": "Porto", "problem": "No Porto.", "as_of": None}
    hostile = dict.fromkeys(("question", "context", "draft", "problem"), HOSTILE)
    assert_harmless("answer/revise", plain, plain | hostile)


def test_a_revision_is_asked_for_in_the_words_of_the_first_answer():
    rules = [prompt(name).render(**dict.fromkeys(prompt(name).data | prompt(name).plain, "x"))[0][1] for name in NAMES]
    for shared in ("Use only what the memories say.", "reply with exactly: NO ANSWER", "as briefly as you can"):
        assert all(shared in one for one in rules)


NAMES = ("answer/answer", "answer/revise")
