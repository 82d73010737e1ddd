"""A history opened for environments: which questions it holds, and their evidence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_episodes import QUESTION, TEXTS, design

from designsearch.dsl.problems import UserError
from designsearch.dsl.validate import load_design
from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.operators import load_all
from designsearch.runtime.records import Evidence, Record
from designsearch.runtime.services import Services
from designsearch.search.evaluate import Task
from designsearch.search.training.environments.playground import playground

UNLABELLED = replace(QUESTION, id="q0", question="Who is Miso?", evidence=())
GONE = replace(QUESTION, id="q2", question="Where is the dog?", evidence=(Evidence("lost"), Evidence("r2")))
HELPED = "{version: 1, storage: {units: {op: records}}, retrieval: [{op: policy, policy: llm, search: [{op: bm25}]}]}"


@pytest.fixture
def task():
    records = [Record(id=f"r{i}", text=text, time=f"2025-03-0{i + 1}", author="Ida") for i, text in enumerate(TEXTS)]
    return Task(Dataset("h", tuple(records)), (UNLABELLED, QUESTION, GONE))


def test_questions_with_evidence_are_there_by_id(task):
    ground = playground(design(), task, Services())
    assert ground.rows == {"q1": 0, "q2": 1}
    assert tuple(ground.world.queries.questions) == (QUESTION.question, GONE.question)
    assert ground.gold == (frozenset({0, 4}), frozenset({2}))
    assert ground.world.max_steps == 8


def test_a_design_whose_policy_is_a_model_needs_no_helper(task):
    ground = playground(load_design(HELPED, registry=load_all()), task, Services())
    assert len(ground.world) == 2


def test_a_design_without_a_policy_is_refused(task):
    plain = load_design(
        HELPED.replace("op: policy, policy: llm, search: [{op: bm25}]", "op: bm25"), registry=load_all()
    )
    with pytest.raises(UserError, match="no stage op: policy"):
        playground(plain, task, Services())
