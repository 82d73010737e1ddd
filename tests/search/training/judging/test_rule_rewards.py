import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.episodes.states import (
    ACTION_TYPES,
    Add,
    Candidate,
    Cited,
    Note,
    Search,
    Skip,
    State,
    Stop,
    Taken,
    Trajectory,
    transition,
)
from designsearch.runtime.records import Query
from designsearch.search.training.judging.rule_rewards import rule_reward, rule_rewards
from designsearch.search.training.judging.step_facts import Exposure, StepFacts, facts_of
from designsearch.search.training.judging.trajectory_reward import trajectory_reward

OTHER = 900
"""Rows from here on are no gold."""


def rows(*records):
    return frozenset(records)


def shown(gold, hits, size):
    """The records of ``size`` units, ``hits`` of which show the gold ones among them."""
    split = [gold[hit : hit + 1] if hit + 1 < hits else gold[hit:] for hit in range(hits)]
    return [*split, *([OTHER + i] for i in range(size - hits))]


def reference_facts(case):
    """The facts of a trajectory given in letters, each a record; ``x`` and ``y`` are found beside the gold."""
    row = {letter: i for i, letter in enumerate(case["gold"])} | {"x": OTHER, "y": OTHER + 1}
    state, steps, records = State("What?", max_steps=8), [], []
    for event in case["events"]["steps"]:
        found = ()
        if event["do"] == "search":
            units = shown([row[letter] for letter in event["exposes"]], event["hits"], event["size"])
            found = tuple(Candidate(len(records) + i, 1.0) for i in range(len(units)))
            records += units
            action = Search(Query("question", f"query {len(steps)}"))
        elif event["do"] == "add":
            cited = tuple(Cited(row[letter], 0, 5) for letter in event["cites"])
            action = Add((Note(state.candidates[0].unit, cited),))
        else:
            action = {"skip": Skip(), "stop": Stop()}[event["do"]]
        steps.append(Taken(state, action, found))
        state = transition(state, action, found)
    return facts_of(Trajectory(tuple(steps), state), range(len(case["gold"])), records.__getitem__)


def test_the_reference_trajectory(vectors):
    case = vectors["rule_rewards"]
    rewards = rule_rewards(reference_facts(case))
    assert [list(reward) for reward in rewards] == case["step_rewards"]
    total = trajectory_reward(rewards)
    assert total.by_type == pytest.approx(case["g"], abs=1e-9)
    assert total.value == pytest.approx(case["R_AiO"], abs=1e-9)


def reward(kind, gold=(), saved=(), cited=(), **rest):
    return rule_reward(StepFacts(kind, rows(*gold), rows(*saved), cited=rows(*cited), **rest))


def units(*each):
    return Exposure(tuple(rows(*unit) for unit in each))


@pytest.mark.parametrize(
    ("expected", "case"),
    [
        (20, {"gold": (1,), "saved": (1,), "exposure": units((1,))}),
        (20, {"gold": (1,), "saved": (1,), "exposure": units((1,)), "repeated": True}),
        (20, {"gold": (), "exposure": units((5,))}),
        (30, {"gold": (1,), "exposure": units((5,))}),
        (30, {"gold": (1, 2), "saved": (1,), "exposure": units((1,))}),
        (30, {"gold": (1,)}),
        (10, {"gold": (1,), "exposure": units((5,)), "repeated": True}),
        (100, {"gold": (1,), "exposure": units((1,))}),
        # 50 + 40/2 + 10/2: the unit of what is saved already is no hit
        (75, {"gold": (1, 2, 3), "saved": (1,), "exposure": units((1,), (2,))}),
        # 50 + 40/4 + 10/4 = 62.5
        (63, {"gold": (1, 2, 3, 4), "exposure": units((1,), (5,), (6,), (7,))}),
        (60, {"gold": (1,), "exposure": units((1,)), "repeated": True}),
        # 50 + 40/8 + 10/4 = 57.5, below the cap
        (58, {"gold": range(8), "exposure": units((1,), (20,), (21,), (22,)), "repeated": True}),
    ],
)
def test_search(expected, case):
    assert reward("search", **case) == expected


@pytest.mark.parametrize(
    ("expected", "case"),
    [
        (100, {"gold": (1,), "exposure": units((1,)), "cited": (1,)}),
        (15, {"gold": (1,), "exposure": units((1,)), "cited": (1, 2)}),
        (15, {"gold": (1,), "saved": (2,), "exposure": units((1,)), "cited": (2,)}),
        # 40 + 50 + 10/3
        (93, {"gold": (1,), "exposure": units((1, 5, 6)), "cited": (1, 5, 6)}),
        # 40 + 50/2 + 10/2: what is saved already is available no more, and dilutes
        (70, {"gold": (1, 2, 3), "saved": (3,), "exposure": units((1, 2, 3)), "cited": (1, 3)}),
        (10, {"gold": (1, 2), "saved": (1,), "exposure": units((1, 2)), "cited": (1,)}),
        (10, {"gold": (), "saved": (5,), "exposure": units((5,)), "cited": (5,)}),
        (20, {"gold": (1,), "exposure": units((1,), (5,)), "cited": (5,)}),
        (35, {"gold": (1,), "exposure": units((5,)), "cited": (5,)}),
        (35, {"gold": (1,), "saved": (1,), "exposure": units((1,), (5,)), "cited": (1, 5)}),
        (35, {"gold": (), "exposure": units((5,)), "cited": (5,)}),
    ],
)
def test_add(expected, case):
    assert reward("add", **case) == expected


@pytest.mark.parametrize(
    ("expected", "case"),
    [
        (95, {"gold": (1,), "exposure": units((5,))}),
        (95, {"gold": (1,), "saved": (1,), "exposure": units((1,))}),
        (95, {"gold": ()}),
        (1, {"gold": (1,), "exposure": units((1,))}),
        # 39/2 = 19.5
        (20, {"gold": (1, 2), "exposure": units((1,))}),
        # 39/6 = 6.5, which floats put below
        (7, {"gold": range(6), "exposure": units(range(5))}),
    ],
)
def test_skip(expected, case):
    assert reward("skip", **case) == expected


@pytest.mark.parametrize(
    ("expected", "case"),
    [
        (100, {"gold": (1, 2), "saved": (1, 2, 9)}),
        (1, {"gold": (1, 2)}),
        (1, {"gold": (1, 2), "saved": (9,)}),
        # 1 + 59/2 = 30.5
        (31, {"gold": (1, 2), "saved": (1,)}),
        (100, {"gold": ()}),
        (60, {"gold": (), "saved": (9,)}),
    ],
)
def test_stop(expected, case):
    assert reward("stop", **case) == expected


def test_a_junk_search_a_skip_and_a_stop_earn_two_fifths_without_any_evidence():
    steps = [
        StepFacts("search", rows(1), exposure=units((5,))),
        StepFacts("skip", rows(1), exposure=units((5,))),
        StepFacts("stop", rows(1)),
    ]
    assert trajectory_reward(rule_rewards(steps)).value == pytest.approx(0.4141, abs=1e-4)


SOME = st.frozensets(st.integers(0, 7))


@given(st.sampled_from(ACTION_TYPES), SOME, SOME, st.lists(SOME, max_size=5), SOME, st.booleans())
def test_every_reward_is_an_integer_from_1_to_100(kind, gold, saved, found, cited, repeated):
    value = rule_reward(StepFacts(kind, gold, saved, Exposure(tuple(found)), cited, repeated))
    assert type(value) is int
    assert 1 <= value <= 100


@given(SOME, SOME, st.lists(SOME, min_size=1, max_size=5), st.integers(0, 7))
def test_a_search_that_shows_more_of_what_is_missing_earns_no_less(gold, saved, found, more):
    wider = [found[0] | {more}, *found[1:]]
    before, after = (rule_reward(StepFacts("search", gold, saved, Exposure(tuple(units)))) for units in (found, wider))
    assert after >= before


CARRYING = {"type": "add", "gold": rows(0, 1, 2), "saved": rows(0, 7), "exposure": Exposure((rows(1), rows(8)))}


@pytest.mark.parametrize(
    ("cited", "rule", "expected"),
    [
        ((0, 7, 1), "append", 15),  # 0 and 7 were not shown
        ((0, 7, 1), "update", 100),  # carried over, and all that was there
        ((0, 7, 1), "overwrite", 100),
        ((0, 1, 8), "overwrite", 95),  # one of two that are new is gold; 7 is rightly given up
        ((0, 1, 9), "overwrite", 15),  # 9 stands nowhere
        ((1,), "overwrite", 20),  # gold that was saved is gone
        ((1,), "update", 100),
        ((0, 7), "overwrite", 20),  # as a skip of one of the two that are missing
        ((0, 7), "update", 10),
    ],
)
def test_what_is_carried_over_counts_where_notes_give_way(cited, rule, expected):
    assert rule_reward(StepFacts(**CARRYING, cited=rows(*cited), rule=rule)) == expected


def test_writing_notes_again_as_they_are_is_right_where_nothing_new_is_shown():
    nothing = CARRYING | {"exposure": Exposure((rows(8),))}
    assert rule_reward(StepFacts(**nothing, cited=rows(0, 7), rule="overwrite")) == 95
    assert rule_reward(StepFacts(**nothing, cited=rows(0, 7, 8), rule="overwrite")) == 35
