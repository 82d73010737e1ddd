import pytest

from designsearch.runtime.episodes.states import (
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
from designsearch.search.training.judging.step_facts import Exposure, StepFacts, facts_of

RECORDS = {10: (0,), 11: (1, 2), 12: (2, 3)}
"""Unit to its source records."""


def search(text, *units, kind="question", terms=()):
    return Search(Query(kind, text, terms=terms)), tuple(Candidate(unit, 1.0) for unit in units)


def note(unit, *records):
    return Note(unit, tuple(Cited(record, 0, 5) for record in records))


def episode(*actions):
    """The trajectory of some actions; a search comes with what it found."""
    state, steps = State("What?", max_steps=8), []
    for item in actions:
        action, found = item if isinstance(item, tuple) else (item, ())
        steps.append(Taken(state, action, found))
        state = transition(state, action, found)
    return Trajectory(tuple(steps), state)


def rows(*records):
    return frozenset(records)


def test_every_step_of_an_episode():
    taken = episode(
        search("boat", 10, 11),
        Add((note(10, 0), note(11, 2))),
        search("  BOAT ", 12),
        Skip(),
        Stop(),
    )
    gold, first, second = rows(0, 1, 3), Exposure((rows(0), rows(1, 2))), Exposure((rows(2, 3),))
    assert facts_of(taken, [0, 1, 3], RECORDS.__getitem__) == (
        StepFacts("search", gold, exposure=first),
        StepFacts("add", gold, exposure=first, cited=rows(0, 2)),
        StepFacts("search", gold, saved=rows(0, 2), exposure=second, repeated=True),
        StepFacts("skip", gold, saved=rows(0, 2), exposure=second),
        StepFacts("stop", gold, saved=rows(0, 2)),
    )


def test_what_was_found_stays_after_an_add():
    facts = facts_of(episode(search("a", 10), Add((note(10, 0),)), Stop()), [0], RECORDS.__getitem__)
    assert facts[2].exposure.records == rows(0)


def test_a_forced_stop_while_extracting_is_a_step_like_others():
    facts = facts_of(episode(search("a", 10), Stop(forced="no tokens left")), [0], RECORDS.__getitem__)
    assert [step.type for step in facts] == ["search", "stop"]
    assert facts[1].saved == rows()


def test_what_is_missing_and_what_of_it_is_available():
    step = StepFacts("skip", rows(1, 2, 3), saved=rows(1), exposure=Exposure((rows(1, 2), rows(7), rows(2))))
    assert step.missing == rows(2, 3)
    assert step.available == rows(2)
    assert step.exposure.hits(step.missing) == 2


@pytest.mark.parametrize(
    ("again", "repeated"),
    [
        (search("My boat"), True),
        (search("my  BOAT\n"), True),
        (search("my boat", kind="passage"), True),
        (search("my boats"), False),
        (search("my boat", kind="keywords", terms=(("sail", 1.0),)), False),
    ],
)
def test_when_a_query_repeats_another(again, repeated):
    facts = facts_of(
        episode(search("my boat"), Skip(), search("other"), Skip(), again, Skip(), Stop()), [], RECORDS.get
    )
    assert [step.repeated for step in facts] == [False, False, False, False, repeated, False, False]


def test_terms_of_feedback_repeat_whatever_their_weights():
    first, second = (search("q", kind="keywords", terms=(("sail", weight),)) for weight in (1.0, 0.5))
    facts = facts_of(episode(first, Skip(), second, Skip(), Stop()), [], RECORDS.get)
    assert facts[2].repeated


def test_no_episode_no_facts():
    assert facts_of(Trajectory((), State("What?", max_steps=1)), [1], RECORDS.get) == ()
