from __future__ import annotations

import pytest
from environment_fakes import GOLD, QUESTIONS, world

from designsearch.dsl.problems import UserError
from designsearch.runtime.episodes.states import Add, MaskedActionError, Search, Stop
from designsearch.runtime.policies.notes import note_of
from designsearch.runtime.records import Query
from designsearch.search.training.environments.episode import Episode


def search(text):
    return Search(Query("question", text))


def test_steps_earn_what_the_rule_says():
    made = Episode(world(), GOLD)
    assert made.start(0).question == QUESTIONS[0]
    # all that was missing is shown by one of two units: 50 + 40 + 10 / 2
    assert made.act(search("kayak")) == pytest.approx((95 - 1) / 99)
    # all of it is noted and nothing beside it: 40 + 50 + 10
    assert made.act(Add((note_of(made.world.memory, 2),))) == 1.0
    assert made.act(Stop()) == 1.0
    assert made.scores() == [95, 100, 100]
    assert made.reward() == pytest.approx((94 / 99 + 1 + 1) / 3)
    assert made.state.done


def test_a_start_begins_again():
    made = Episode(world(), GOLD)
    made.start(1)
    made.act(search("tea"))
    assert made.start(1).step == 0
    assert made.trajectory.steps == ()


def test_what_the_state_does_not_allow_raises_and_changes_nothing():
    made = Episode(world(), GOLD)
    made.start(0)
    with pytest.raises(MaskedActionError):
        made.act(Add(()))
    assert made.trajectory.steps == ()


def test_an_end_by_force_is_scored_as_a_stop():
    made = Episode(world(), GOLD)
    made.start(0)
    made.act(search("kayak"))
    made.end("gave up")
    made.end("again")
    assert made.trajectory.forced == "gave up"
    assert made.scores() == [95, 1]


def test_evidence_is_given_for_each_question():
    with pytest.raises(UserError, match="2 questions and evidence for 1"):
        Episode(world(), GOLD[:1])
