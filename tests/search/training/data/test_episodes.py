from dataclasses import replace

import pytest
from small_episodes import QUESTION, TEXTS, design, memory

from designsearch.dsl.problems import UserError
from designsearch.dsl.validate import load_design
from designsearch.runtime.episodes.states import transition
from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.operators import load_all
from designsearch.runtime.policies.rollout import World, rollout
from designsearch.runtime.policies.rules import make
from designsearch.runtime.records import Evidence, Queries, Record
from designsearch.runtime.services import Services
from designsearch.search.evaluate import Task
from designsearch.search.training.data.episodes import Sampling, sampled
from designsearch.search.training.data.perturbed import Perturbed

UNLABELLED = replace(QUESTION, id="q2", question="What is the dog called?", evidence=())


@pytest.fixture
def task():
    """A history with a question that has evidence and one that has none."""
    events = tuple(Record(id=f"r{i}", text=text, time=f"2025-03-0{i + 1}") for i, text in enumerate(TEXTS))
    return Task(Dataset("h", events), (UNLABELLED, QUESTION))


def test_episodes_of_the_questions_that_have_evidence(task):
    found = sampled(design(), task, Services(), Sampling(variants=12, most=5))
    assert found.drawn == 12
    assert 2 <= len(found.episodes) <= 5
    assert {one.question.id for one in found.episodes} == {"q1"}
    assert {one.recall for one in found.episodes} != {1.0}, "they are of varied quality"
    first = found.episodes[0]
    assert (first.gold, first.recall) == (frozenset({0, 4}), 1.0)


def test_they_repeat_with_the_seed(task):
    one, other, third = (
        [e.trajectory for e in sampled(design(), task, Services(), Sampling(seed=seed)).episodes] for seed in (0, 0, 5)
    )
    assert one == other
    assert one != third


def test_no_question_with_evidence_gives_no_episode(task):
    lost = replace(QUESTION, evidence=(Evidence("a record that is not there"),))
    found = sampled(design(), Task(task.dataset, (UNLABELLED, lost)), Services(), Sampling())
    assert (found.episodes, found.drawn) == ((), 0), "evidence that the history does not hold is none"


def test_a_design_without_a_policy_is_refused(task):
    plain = load_design("version: 1\nretrieval: [{op: bm25}]", file="plain.yaml", registry=load_all())
    with pytest.raises(UserError, match=r"^plain\.yaml: retrieval has no stage op: policy"):
        sampled(plain, task, Services(), Sampling())


@pytest.mark.parametrize("rate", [0.0, 0.5, 1.0])
def test_replaced_decisions_are_allowed_ones(rate):
    held = memory()
    questions = [QUESTION.question, "What is the dog called?", ""] * 4
    world = World(held, Queries.of(questions), design().retrieval[0].params.search)
    inner = make(world, None)
    episodes = rollout(world, Perturbed(world, inner, rate, seed=3))
    assert not [step for one in episodes for step in one.steps if getattr(step.action, "forced", "")]
    for one in episodes:
        state = one.steps[0].state
        for step in one.steps:
            state = transition(state, step.action, step.found)
        assert state == one.final
    assert (episodes == rollout(world, make(world, None))) == (rate == 0.0)


def test_an_episode_does_not_depend_on_how_others_go():
    held = memory()
    world = World(held, Queries.of([QUESTION.question, "What is the dog called?"]), design().retrieval[0].params.search)
    both = rollout(world, Perturbed(world, make(world, None), 0.5, seed=1))
    alone = Perturbed(world, make(world, None), 0.5, seed=1)
    state, acts = both[1].steps[0].state, []
    for step in both[1].steps:
        acts.append(alone.act([state], [1])[0].action)
        state = transition(state, step.action, step.found)
    assert acts == [step.action for step in both[1].steps]
