from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless

from designsearch.prompts.load import prompt

STEPS = [
    {"index": 1, "type": "search", "query": "ferry", "found": [1, 2]},
    {"index": 2, "type": "add", "notes": [{"unit": 1, "cited": "part", "content": "words"}]},
    {"index": 3, "type": "search", "query": "dog", "found": []},
    {"index": 4, "type": "skip"},
    {"index": 5, "type": "stop", "forced": False},
]
PLAIN = {
    "question": "When?",
    "as_of": "2025-05-01",
    "reference_answer": "9:30",
    "gold_evidence": ["The ferry."],
    "units": ["The ferry.", "The dog."],
    "trajectory": STEPS,
    "scoreable_steps": [{"index": step["index"], "type": step["type"]} for step in STEPS],
}


def test_hostile_records_queries_and_notes_change_nothing():
    steps = [dict(step) for step in STEPS]
    steps[0]["query"] = steps[2]["query"] = HOSTILE
    steps[1]["notes"] = [{"unit": 1, "cited": HOSTILE, "content": HOSTILE}]
    hostile = {
        "question": HOSTILE,
        "reference_answer": HOSTILE,
        "gold_evidence": [HOSTILE],
        "units": [HOSTILE, HOSTILE],
        "trajectory": steps,
    }
    assert_harmless("policy/reward", PLAIN, PLAIN | hostile)


def test_every_step_and_every_level_is_named():
    system, user = (text for _, text in prompt("policy/reward").render(**PLAIN))
    for level in ("excellent, 86-100", "good, 71-85", "partial, 56-70", "weak, 31-55", "bad, 1-30"):
        assert level in system
    assert user.endswith(
        "- step_index 1, step_type search\n- step_index 2, step_type add\n- step_index 3, step_type search\n"
        "- step_index 4, step_type skip\n- step_index 5, step_type stop"
    )
    assert "Step 1, search: the query below\n" in user
    assert "showed units 1, 2, best first." in user
    assert "showed nothing." in user
    assert "Step 4, skip: no note\n" in user
    assert "Step 5, stop: no further search" in user


def test_notes_of_whole_units_and_stops_that_were_forced_are_told():
    steps = [
        {"index": 1, "type": "add", "notes": [{"unit": 1, "cited": "", "content": ""}] * 2},
        {"index": 2, "type": "stop", "forced": True},
    ]
    given = PLAIN | {"trajectory": steps, "as_of": "", "gold_evidence": []}
    user = prompt("policy/reward").render(**given)[1][1]
    assert "Step 1, add: 2 notes\n- of unit 1, citing the whole of it\n" in user
    assert "Step 2, stop: the policy broke off" in user
    assert "Marked evidence: none" in user
    assert "was asked on" not in user
