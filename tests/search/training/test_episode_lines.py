"""Episodes as lines of a file are judged as the episodes themselves are."""

import json
from dataclasses import replace

import pytest
from small_episodes import QUESTION, judged, note, search

from designsearch.dsl.problems import UserError
from designsearch.episode_lines import is_unknown, line_of, read_episodes
from designsearch.runtime.episodes.states import Add, Skip, Stop
from designsearch.runtime.records import Evidence
from designsearch.scored_episodes import scored_episodes
from designsearch.search.training.judging.opinions import Opinion
from designsearch.search.training.judging.quality import judgement
from designsearch.search.training.judging.rule_rewards import rule_rewards


def test_a_line_gives_the_scores_of_its_episode(held, tmp_path):
    one = judged(held, search("ferry", 0, 1), Add((note(held, 0),)), search("dog", 2), Skip(), Stop())
    file = tmp_path / "e.jsonl"
    file.write_text(json.dumps(line_of("h", one)) + "\n", encoding="utf-8")
    ((line, facts),) = read_episodes(file)
    assert line["recall"] == one.recall == 0.5
    assert line["steps"][0]["found"] == [["r0"], ["r1"]]
    assert rule_rewards(facts) == one.rule_scores()


def test_what_a_reward_model_says_stands_in_the_line(held, tmp_path):
    one = judged(held, search("ferry", 0, 1), Skip(), Stop())
    scores = [("search", 90), ("skip", 20), ("stop", 5)]
    assert line_of("h", one, Opinion(judgement(scores)))["scores"] == [90, 20, 5]
    failed = line_of("h", one, Opinion(failure="truncated"))
    assert ("scores" in failed, failed["unscored"]) == (False, "truncated")
    file = tmp_path / "e.jsonl"
    file.write_text(json.dumps(line_of("h", one) | {"scores": [90, True, 5]}) + "\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"scores are no 3 numbers in 1\.\.100, one a step"):
        list(read_episodes(file))


def test_what_is_no_episode_is_told(tmp_path):
    file = tmp_path / "e.jsonl"
    file.write_text('{"gold": [], "steps": [{"type": "sing"}]}\n', encoding="utf-8")
    with pytest.raises(UserError, match=r":1: is no episode: steps\[0\]\.type is none of search, add, skip, stop"):
        list(read_episodes(file))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("episode", "the line is no object"),
        ({"steps": []}, "gold is no list of ids of records"),
        ({"gold": "r1", "steps": []}, "gold is no list of ids of records"),
        ({"gold": [1], "steps": []}, "gold is no list of ids of records"),
        ({"gold": []}, "steps is no list"),
        ({"gold": [], "steps": []}, "steps is empty"),
        ({"gold": [], "steps": [3]}, "steps[0] is no object"),
        (
            {"gold": [], "steps": [{"type": "search", "found": [], "repeated": "no"}]},
            "steps[0].repeated is neither true nor false",
        ),
        ({"gold": [], "steps": [], "notes": "shred"}, "notes is none of append, update, overwrite"),
        ({"gold": [], "steps": [{"type": "stop"}], "scores": 3}, "scores is no list"),
        ({"gold": [], "steps": [{"type": "stop"}], "scores": []}, "scores are no 1 numbers in 1..100, one a step"),
        ({"gold": [], "steps": [{"type": "stop"}], "scores": [101]}, "scores are no 1 numbers in 1..100, one a step"),
        ({"gold": [], "steps": [{"type": "stop"}, {"type": "search"}]}, "steps[1].found is no list"),
        ({"gold": [], "steps": [{"type": "add"}]}, "steps[0].cited is no list of ids of records"),
    ],
)
def test_a_line_edited_by_hand_is_told_with_its_place(tmp_path, line, said):
    file = tmp_path / "e.jsonl"
    file.write_text(f"\n{json.dumps(line)}\n", encoding="utf-8")
    with pytest.raises(UserError) as told:
        list(read_episodes(file))
    assert str(told.value) == f"{file}:2: is no episode: {said}; `designsearch policy rollout` writes such lines"


def test_gold_that_is_not_known_is_no_question_without_an_answer(held, tmp_path):
    one = judged(held, search("ferry", 0), Skip(), Stop(), question=replace(QUESTION, evidence=()))
    unanswerable = replace(one, question=replace(one.question, answerable=False))
    lost = replace(one, question=replace(one.question, evidence=(Evidence("gone"),)))
    assert [line_of("h", each)["gold"] for each in (one, lost, unanswerable)] == [None, None, []]
    assert [line_of("h", each)["recall"] for each in (one, unanswerable)] == [None, None]
    file = tmp_path / "e.jsonl"
    file.write_text("".join(json.dumps(line_of("h", each)) + "\n" for each in (one, unanswerable)), encoding="utf-8")
    assert [is_unknown(line) for line, _ in read_episodes(file)] == [True, False]
    assert [bool(each.rule) for each in scored_episodes(file)] == [False, True]


def test_separators_within_a_text_end_no_line(held, tmp_path):
    line = line_of("h", judged(held, search("ferry", 0), Skip(), Stop())) | {"question": "a\u2028b\u0085c"}
    file = tmp_path / "e.jsonl"
    file.write_text(json.dumps(line, ensure_ascii=False) + "\n", encoding="utf-8")
    ((found, _),) = read_episodes(file)
    assert found["question"] == "a\u2028b\u0085c"


def test_what_later_notes_put_aside_is_not_scored_as_kept(held, tmp_path):
    one = judged(
        held,
        search("ferry", 0),
        Add((note(held, 0),)),
        search("rent", 4),
        Add((note(held, 4),)),
        Stop(),
        rule="overwrite",
    )
    assert one.recall == 0.5
    line = line_of("h", one)
    assert line["notes"] == "overwrite"
    assert line["steps"][3] == {"type": "add", "cited": ["r4"], "dropped": ["r0"]}
    file = tmp_path / "e.jsonl"
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    ((_, facts),) = read_episodes(file)
    assert rule_rewards(facts) == one.rule_scores()
    assert one.rule_scores()[-1] == ("stop", 31)
