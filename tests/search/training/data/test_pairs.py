import json

import pytest
from small_episodes import QUESTION, judged, note, search

from designsearch.runtime.episodes.states import Add, Skip, Stop
from designsearch.search.training.data.pairs import (
    Preferred,
    lines,
    preference_row,
    preferences,
    rollout_row,
    rule_judgement,
    sft_row,
)
from designsearch.search.training.judging.opinions import Opinion
from designsearch.search.training.judging.quality import judgement, written
from designsearch.search.training.judging.reward_request import reward_request


@pytest.fixture
def one(held):
    """A complete episode with a note too many."""
    return judged(held, search("ferry rent", 0, 4, 2), Add(tuple(note(held, unit) for unit in (0, 4, 2))), Stop())


class Says:
    """A judge of given opinions."""

    fingerprint = "says"

    def __init__(self, *opinions):
        self.opinions = list(opinions)

    def judge(self, episodes):
        return self.opinions[: len(episodes)]

    def told(self):
        return ""


def scores(*values):
    return judgement(zip(("search", "add", "stop"), values, strict=True))


def test_only_judgements_that_differ_by_a_level_make_pairs(one):
    assert [step.score for step in rule_judgement(one)] == [97, 97, 100]
    opinions = [Opinion(scores(90, 90, 90)), Opinion(scores(97, 85, 100)), Opinion(failure="server: away")]
    found = preferences([one, one, one], Says(*opinions))
    assert [pair.chosen for pair in found] == [scores(97, 85, 100)]
    assert found[0].rejected == rule_judgement(one)


def test_a_row_of_the_first_stage_is_what_trl_takes(one):
    row = sft_row(one)
    assert list(row) == ["prompt", "completion"]
    assert [message["role"] for message in row["prompt"]] == ["system", "user"]
    assert row["prompt"][1]["content"] == reward_request(one).messages[1].content
    assert row["completion"] == [{"role": "assistant", "content": written(rule_judgement(one))}]


def test_a_row_of_the_second_stage_is_what_trl_takes(one):
    row = preference_row(Preferred(one, scores(80, 70, 60), rule_judgement(one)))
    assert list(row) == ["prompt", "chosen", "rejected"]
    assert row["prompt"] == sft_row(one)["prompt"]
    assert json.loads(row["chosen"][0]["content"])["step_scores"][1]["score"] == 70
    assert row["rejected"] == sft_row(one)["completion"]


def test_a_rollout_is_what_verl_takes(one):
    row = rollout_row(one, 7, "validation")
    assert row["prompt"] == [{"role": "user", "content": QUESTION.question}]
    assert (row["data_source"], row["ability"], row["agent_name"]) == (
        "designsearch/memory-policy",
        "memory",
        "tool_agent",
    )
    assert row["reward_model"]["style"] == "rule"
    assert json.loads(row["reward_model"]["ground_truth"]) == {
        "answer": "at 9:30; 840 euros",
        "records": ["r0", "r4"],
    }
    extra = row["extra_info"]
    assert (extra["index"], extra["split"], extra["question_id"], extra["as_of"]) == (
        7,
        "validation",
        "q1",
        "2025-05-01",
    )
    assert extra["need_tools_kwargs"] is True
    assert set(extra["tools_kwargs"]) == {"search_memory_units", "add_note", "skip_extraction", "answer_from_notes"}
    assert extra["tools_kwargs"]["add_note"]["create_kwargs"] == {"history": "h", "question_id": "q1"}
    assert json.loads(extra["episode"]) == [
        {
            "type": "search",
            "query": "ferry rent",
            "found": [{"unit": unit, "records": [f"r{unit}"]} for unit in (0, 4, 2)],
        },
        {"type": "add", "notes": [{"unit": unit, "records": [f"r{unit}"], "content": ""} for unit in (0, 4, 2)]},
        {"type": "stop", "forced": False},
    ]
    assert extra["step_scores"] == [97, 97, 100]
    assert extra["reward"] == pytest.approx((96 / 99 + 96 / 99 + 1) / 3)


def test_columns_have_one_type_in_every_row(held, one):
    other = judged(held, search("dog", 2), Skip(), Stop(forced="no tokens left"))

    def shape(value):
        if isinstance(value, dict):
            return {name: shape(part) for name, part in value.items()}
        if isinstance(value, list):
            return [shape(value[0])]
        return type(value).__name__

    assert shape(rollout_row(one, 0)) == shape(rollout_row(other, 1))
    assert shape(sft_row(one)["completion"]) == shape(sft_row(other)["completion"])


def test_one_row_a_line(one):
    text = lines([sft_row(one), rollout_row(one, 0)])
    assert text.endswith("\n")
    assert list(json.loads(text.splitlines()[0])) == ["prompt", "completion"]
    assert lines([]) == ""
