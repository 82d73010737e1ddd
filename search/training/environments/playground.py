"""A history and its questions with evidence, ready for environments of trainers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from designsearch.dsl.design import Design
from designsearch.runtime.compile import compile_design
from designsearch.runtime.policies.rollout import World
from designsearch.runtime.services import Services
from designsearch.search.evaluate import Task
from designsearch.search.training.judging.judged import gold_rows
from designsearch.search.training.policy_stage import policy_of, reaching_policy
from designsearch.search.training.unasked import unasked


@dataclass(frozen=True)
class Playground:
    """Where a policy plays.

    Attributes:
        world: the questions with evidence over the whole history, and the inner cascade.
        gold: for each question the rows of its evidence's records.
        rows: for the id of each question its place in the world.
    """

    world: World
    gold: tuple[frozenset[int], ...]
    rows: Mapping[str, int]


def playground(design: Design, task: Task, services: Services) -> Playground:
    """Open a history for the policy of a design.

    Args:
        design: with a stage ``op: policy``; stages before it are taken first, those behind it never.
        task: the history and its questions; those without evidence are left out.
        services: what a memory needs from outside; a helper only where more than the policy asks one.

    Raises:
        UserError: the design has no such stage, or more than its policy asks a helper and there is none.
    """
    _, params = policy_of(design)
    memory = compile_design(design, services=unasked(services)).open(task.full)
    places = [place for place, question in enumerate(task.questions) if question.evidence]
    questions = [task.questions[place] for place in places]
    return Playground(
        params.world(memory, reaching_policy(memory, task.queries(places))),
        tuple(gold_rows(question, memory.history) for question in questions),
        {question.id: row for row, question in enumerate(questions)},
    )
