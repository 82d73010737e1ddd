"""The learned policy in a design, and its file of weights."""

import json

import numpy as np
import pytest
from runtime_fakes import ask, memory_of

from designsearch.dsl.problems import InvalidFileError, UserError
from designsearch.runtime.policies.heads import Menu, Picks, decide_logps, go_on_logps, pick_logps
from designsearch.runtime.policies.makers import make_policy
from designsearch.runtime.policies.queries import SOURCES
from designsearch.runtime.policies.rollout import World, rollout
from designsearch.runtime.policies.weights import Weights, load_weights

ENTRIES = ["Is the ferry blue?", "The ferry to Texel is red.", "Tea with milk.", "The ferry was late.", "It rained."]
WEIGHTS = Weights(
    tokens=20,
    selector={"question_mark": -3.0, "bm25": 1.0},
    go_on={"always": 4.0, "rank": -3.0},
    decide={"question": {"first": 5.0}, "stop": {"always": 1.0}},
    about={"tokens": 12},
)


def played(tmp_path, weights=WEIGHTS, question="What colour is the ferry to Texel?", **settings):
    file = tmp_path / "weights.json"
    file.write_text(weights.text(), encoding="utf-8")
    m = memory_of(ENTRIES, "retrieval: [{op: bm25, k: 4}]")
    world = World(m, ask(question), m.design.retrieval, **settings)
    return rollout(world, make_policy("learned", world, file))[0]


def test_it_searches_keeps_the_best_and_stops(tmp_path):
    episode = played(tmp_path)
    assert [step.action.type for step in episode.steps] == ["search", "add", "stop"]
    assert episode.notes[0].unit == 1
    assert 0 not in [note.unit for note in episode.notes]
    assert played(tmp_path) == episode


def test_notes_have_no_more_tokens_than_the_weights_allow(tmp_path):
    eager = Weights(14, WEIGHTS.selector, go_on={"always": 50.0}, decide=WEIGHTS.decide)
    few = played(tmp_path, eager)
    many = played(tmp_path, Weights(1000, eager.selector, go_on=eager.go_on, decide=eager.decide))
    assert 1 <= len(few.notes) < len(many.notes) == 3


def test_in_the_last_step_it_stops_without_a_choice(tmp_path):
    busy = Weights(1000, WEIGHTS.selector, go_on={"always": 9.0}, decide={"stop": {"always": -50.0}})
    episode = played(tmp_path, busy, max_steps=3)
    assert len(episode.final.searches) == 2
    assert episode.steps[-1].choices == ()
    assert not episode.steps[-1].action.forced


def test_what_may_not_be_chosen_has_no_probability():
    menu = Menu(np.array([1.0, 0, 0, 0, 0, 0, 0, 0]), np.array([True, *[False] * (len(SOURCES) - 1), True]), 0)
    logps = decide_logps(np.ones((len(SOURCES) + 1, 8)), menu)
    np.testing.assert_allclose(np.exp(logps[[0, -1]]), [0.5, 0.5])
    assert np.isneginf(logps[1:-1]).all()


def test_picks_are_probabilities_of_what_is_left():
    picks = Picks(np.log([1.0, 2.0, 5.0]), np.zeros((3, 1)), np.array([2, 0, 1]), 2, True, np.zeros((3, 10)))
    np.testing.assert_allclose(np.exp(pick_logps(np.zeros(1), picks)), [5 / 8, 1 / 3])
    np.testing.assert_allclose(np.exp(go_on_logps(np.zeros(10), picks)), [0.5, 0.5, 0.5])


def test_weights_come_back_as_they_were_written(tmp_path):
    file = tmp_path / "w.json"
    file.write_text(WEIGHTS.text(), encoding="utf-8")
    assert load_weights(file) == WEIGHTS
    assert load_weights(file).fingerprint == WEIGHTS.fingerprint


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "other"}, "is no file of weights of a learned policy"),
        ({"tokens": 0}, "tokens is 0; a whole number above 0 is needed"),
        ({"selector": {"bm52": 1}}, "selector: unknown feature bm52"),
        ({"selector": {"bm25": "x"}}, "selector.bm25 is no number from -1,000,000,000 to 1,000,000,000"),
        ({"selector": {"bm25": 10**400}}, "selector.bm25 is no number from"),
        ({"selector": {"bm25": -1e300}}, "selector.bm25 is no number from"),
        ({"selector": {"bm25": float("nan")}}, "selector.bm25 is no number from"),
        ({"about": None}, "about is no object"),
        ({"go_on": {"never": 1}}, "go_on.never: there is no such feature"),
        ({"decide": {"moon": {}}}, "decide.moon: there is no such source"),
        ({"decide": []}, "decide is no object of weights by source"),
        ({"cut": 1}, "unknown key cut (the keys here are format, about, tokens, selector, pick, go_on, decide)"),
    ],
)
def test_a_wrong_file_is_told(tmp_path, change, said):
    file = tmp_path / "w.json"
    file.write_text(json.dumps(WEIGHTS.to_json() | change), encoding="utf-8")
    with pytest.raises(UserError) as told:
        load_weights(file)
    assert said in str(told.value)
    assert str(told.value).startswith(str(file))


@pytest.mark.parametrize("part", ["selector", "go_on", "decide"])
def test_a_file_without_a_part_decides_nothing_silently(tmp_path, part):
    file = tmp_path / "w.json"
    file.write_text(json.dumps({key: value for key, value in WEIGHTS.to_json().items() if key != part}))
    with pytest.raises(UserError, match=rf"w\.json: {part} is no object of weights by "):
        load_weights(file)


def test_a_file_that_is_not_there_and_one_that_is_no_json(tmp_path):
    with pytest.raises(UserError, match="there is no such file"):
        load_weights(tmp_path / "none.json")
    (tmp_path / "w.json").write_text("{", encoding="utf-8")
    with pytest.raises(InvalidFileError, match="not JSON"):
        load_weights(tmp_path / "w.json")
    (tmp_path / "w.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(UserError, match="nested too deeply"):
        load_weights(tmp_path / "w.json")


def test_a_file_that_begins_with_a_byte_order_mark(tmp_path):
    (tmp_path / "w.json").write_text(WEIGHTS.text(), encoding="utf-8-sig")
    assert load_weights(tmp_path / "w.json") == WEIGHTS


@pytest.mark.parametrize("about", [{}, {"tokens": "lots"}, {"tokens": 0}])
def test_the_level_is_the_one_of_training_where_that_is_told(about):
    assert WEIGHTS.level == 12
    assert Weights(20, {}, about=about).level == 20


def test_without_weights_and_without_a_view_that_they_read(tmp_path):
    m = memory_of(ENTRIES, "retrieval: [{op: bm25, k: 4}]")
    world = World(m, ask("ferry?"), m.design.retrieval)
    with pytest.raises(UserError, match="learned needs a file of weights"):
        make_policy("learned", world)
    with pytest.raises(
        UserError, match=r"weights\.json: the weights use the feature bm25\.around, but the store has no view around"
    ):
        played(tmp_path, Weights(20, {"bm25.around": 1.0}))
