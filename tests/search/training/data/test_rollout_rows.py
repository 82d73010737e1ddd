import json
from dataclasses import replace

import pytest
from small_episodes import QUESTION, judged, note, search

from designsearch.runtime.episodes.states import Add, Skip, Stop
from designsearch.search.training.data.rollout_rows import rollout_rows


@pytest.fixture
def one(held):
    """A complete episode with a note too many."""
    return judged(held, search("ferry rent", 0, 4, 2), Add(tuple(note(held, unit) for unit in (0, 4, 2))), Stop())


@pytest.fixture
def other(held):
    """Another of the same question."""
    return judged(held, search("dog", 2), Skip(), Stop(forced="no tokens left"))


def test_a_question_is_a_row(one):
    (row,) = rollout_rows([one], "validation")
    assert [message["role"] for message in row["prompt"]] == ["system", "user"]
    assert "search_memory_units shows you events" in row["prompt"][0]["content"]
    assert QUESTION.question in row["prompt"][1]["content"]
    assert row["prompt"][1]["content"].endswith("You may search 7 times.")
    assert (row["data_source"], row["ability"], row["agent_name"]) == (
        "designsearch/memory-policy",
        "memory",
        "designsearch",
    )
    assert row["reward_model"]["style"] == "rule"
    assert json.loads(row["reward_model"]["ground_truth"]) == {
        "answer": "at 9:30; 840 euros",
        "records": ["r0", "r4"],
    }
    extra = row["extra_info"]
    assert {name: extra[name] for name in ("index", "split", "history", "question_id", "as_of")} == {
        "index": 0,
        "split": "validation",
        "history": "h",
        "question_id": "q1",
        "as_of": "2025-05-01",
    }
    (episode,) = json.loads(extra["episodes"])
    assert episode["steps"] == [
        {
            "type": "search",
            "query": "ferry rent",
            "found": [{"unit": unit, "records": [f"r{unit}"]} for unit in (0, 4, 2)],
        },
        {"type": "add", "notes": [{"unit": unit, "records": [f"r{unit}"], "content": ""} for unit in (0, 4, 2)]},
        {"type": "stop", "forced": False},
    ]
    assert episode["step_scores"] == [97, 97, 100]
    assert episode["reward"] == pytest.approx((96 / 99 + 96 / 99 + 1) / 3)


def test_episodes_of_a_question_share_its_row(one, other):
    elsewhere = replace(one, question=replace(QUESTION, id="q2"))
    first, second = rollout_rows([one, other, elsewhere])
    assert [row["extra_info"]["index"] for row in (first, second)] == [0, 1]
    assert [row["extra_info"]["question_id"] for row in (first, second)] == ["q1", "q2"]
    episodes = json.loads(first["extra_info"]["episodes"])
    assert [[step["type"] for step in episode["steps"]] for episode in episodes] == [
        ["search", "add", "stop"],
        ["search", "skip", "stop"],
    ]
    assert episodes[1]["steps"][-1] == {"type": "stop", "forced": True}


def test_columns_have_one_type_in_every_row(one, other):
    def shape(value):
        if isinstance(value, dict):
            return {name: shape(part) for name, part in value.items()}
        if isinstance(value, list):
            return [shape(value[0])]
        return type(value).__name__

    untold = replace(other, question=replace(QUESTION, id="q2", as_of=None, answer=["9:30", 840]))
    first, second = rollout_rows([one, untold])
    assert shape(first) == shape(second)
