"""Rewards of the episodes of a file, and how they go with the evidence that the notes cite."""

import json

import pytest
from small_episodes import judged, note, search

from designsearch.episode_lines import line_of
from designsearch.runtime.episodes.states import Add, Skip, Stop
from designsearch.scored_episodes import agreement, means, reward, scored_episodes
from designsearch.search.training.judging.opinions import Opinion
from designsearch.search.training.judging.quality import judgement
from designsearch.search.training.judging.trajectory_reward import trajectory_reward


@pytest.fixture
def scored(held, tmp_path):
    """Three episodes: all evidence and nothing else, half of it and as much beside it, and none."""
    episodes = [
        judged(held, search("ferry rent", 0, 4), Add((note(held, 0), note(held, 4))), Stop()),
        judged(held, search("ferry", 0, 1), Add((note(held, 0), note(held, 1))), Stop()),
        judged(held, search("dog", 2), Skip(), Stop()),
    ]
    said = [(80, 80, 80), (50, 50, 50), (10, 10, 10)]
    lines = []
    for one, own in zip(episodes, said, strict=True):
        types = [step.action.type for step in one.trajectory.steps]
        lines.append(line_of("h", one, Opinion(judgement(zip(types, own, strict=True)))))
    del lines[1]["scores"]
    file = tmp_path / "e.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return episodes, scored_episodes(file)


def test_each_has_the_scores_of_the_rule_and_of_the_model_where_it_gave_any(scored):
    episodes, found = scored
    assert [one.rule for one in found] == [one.rule_scores() for one in episodes]
    assert [one.model and [score for _, score in one.model] for one in found] == [[80, 80, 80], None, [10, 10, 10]]
    assert [one.recall for one in found] == [1.0, 0.5, 0.0]
    assert [one.precision for one in found] == [1.0, 0.5, 0.0]
    line = found[0].to_json()
    assert line["model_reward"] == trajectory_reward([("search", 80), ("add", 80), ("stop", 80)]).value
    assert line["steps"][1] == {"type": "add", "score": 100, "model": 80.0}
    assert "model_reward" not in found[1].to_json()


def test_means_are_of_all_steps_of_a_type(scored):
    _, found = scored
    assert means([one.model for one in found if one.model]) == {"search": 45.0, "add": 80.0, "skip": 10.0, "stop": 45.0}
    assert reward(()) is None


def test_agreement_is_that_of_rewards_with_recall_and_precision(scored):
    _, found = scored
    assert agreement([0.9, 0.5, 0.1], found).recall == pytest.approx((1.0, 1.0))
    assert agreement([0.1, 0.5, 0.9], found).precision == pytest.approx((-1.0, -1.0))
    assert agreement([0.9, 0.4, 0.1], found).recall == pytest.approx((0.98974, 1.0), abs=1e-5)
    assert agreement([0.5, 0.5, 0.5], found).recall is None
    assert agreement([0.9, 0.5], found[:2]).recall is None
