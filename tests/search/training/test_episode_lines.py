"""Episodes as lines of a file are judged as the episodes themselves are."""

import json

import pytest
from small_episodes import judged, note, search

from designsearch.dsl.problems import UserError
from designsearch.episode_lines import line_of, read_episodes
from designsearch.runtime.episodes.states import Add, Skip, Stop
from designsearch.search.training.rule_rewards import rule_rewards


def test_a_line_gives_the_scores_of_its_episode(held, tmp_path):
    one = judged(held, search("ferry", 0, 1), Add((note(held, 0),)), search("dog", 2), Skip(), Stop())
    file = tmp_path / "e.jsonl"
    file.write_text(json.dumps(line_of("h", one)) + "\n", encoding="utf-8")
    ((line, facts),) = read_episodes(file)
    assert line["recall"] == one.recall == 0.5
    assert line["steps"][0]["found"] == [["r0"], ["r1"]]
    assert rule_rewards(facts) == one.rule_scores()


def test_what_is_no_episode_is_told(tmp_path):
    file = tmp_path / "e.jsonl"
    file.write_text('{"gold": [], "steps": [{"type": "sing"}]}\n', encoding="utf-8")
    with pytest.raises(UserError, match="line 1: is no episode"):
        list(read_episodes(file))
