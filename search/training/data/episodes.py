"""Episodes to learn a reward from: the policy of a design, as it is and with decisions replaced at random."""

from __future__ import annotations

from dataclasses import dataclass

from designsearch.dsl.design import Design
from designsearch.runtime.compile import compile_design
from designsearch.runtime.policies.makers import make_policy
from designsearch.runtime.policies.rollout import rollout
from designsearch.runtime.services import Services
from designsearch.search.evaluate import Task
from designsearch.search.training.data.diversity import MOST, NEAR, diverse
from designsearch.search.training.data.perturbed import Perturbed
from designsearch.search.training.judging.judged import Judged, gold_rows
from designsearch.search.training.policy_stage import policy_of, reaching_policy

RATES = (0.0, 0.05, 0.1, 0.2, 0.35, 0.5)
"""Shares of decisions that are replaced, in turn; the first episode is the policy's own."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How episodes are drawn.

    Attributes:
        variants: episodes a question, before near-duplicates fall.
        most: episodes a question that are kept.
        near: cosine from which two episodes count as the same.
        seed: of the draws.
    """

    variants: int = 12
    most: int = MOST
    near: float = NEAR
    seed: int = 0


@dataclass(frozen=True)
class Sampled:
    """The episodes of some questions.

    Attributes:
        episodes: those that were kept, question after question.
        drawn: number of episodes before near-duplicates fell.
    """

    episodes: tuple[Judged, ...]
    drawn: int


def sampled(design: Design, task: Task, services: Services, how: Sampling) -> Sampled:
    """Different episodes of the questions of a task with evidence that the history holds, all over the whole history.

    Raises:
        UserError: the design has no policy, or it cannot be made.
    """
    memory = compile_design(design, services=services).open(task.full)
    rows = [row for row, question in enumerate(task.questions) if gold_rows(question, task.full)]
    if not rows:
        return Sampled((), 0)
    _, params = policy_of(design)
    world = params.world(memory, reaching_policy(memory, task.queries(rows)))
    policy = make_policy(params.policy, world, params.weights_file(design))
    drawn = [
        rollout(world, Perturbed(world, policy, RATES[variant % len(RATES)], how.seed * 1000 + variant))
        for variant in range(how.variants)
    ]
    kept: list[Judged] = []
    for i, row in enumerate(rows):
        own = [episodes[i] for episodes in drawn]
        picked = diverse(own, memory, services.embedder, how.near, how.most)
        kept += [Judged(task.questions[row], own[position], memory) for position in picked]
    return Sampled(tuple(kept), len(rows) * how.variants)
