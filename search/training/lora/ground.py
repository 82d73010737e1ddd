"""A history with questions that have evidence: where a policy plays its episodes, and what they are worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from designsearch.dsl.design import Design
from designsearch.runtime.compile import compile_design
from designsearch.runtime.policies.rollout import World, rollout
from designsearch.runtime.services import Services
from designsearch.search.evaluate import Task
from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.lora.policy import LoraPolicy
from designsearch.search.training.policy_stage import policy_of, reaching_policy
from designsearch.search.training.unasked import unasked


class Ground:
    """One history and its questions with evidence.

    Args:
        design: with a stage ``op: policy``; stages before it are taken first, those behind it never.
        task: the history and its questions, all over the whole history; those without evidence are left out.
        services: what a memory needs from outside; a helper only where more than the policy asks one.

    Raises:
        UserError: the design has no such stage, or its storage asks a helper and there is none.
    """

    def __init__(self, design: Design, task: Task, services: Services) -> None:
        _, self._params = policy_of(design)
        self._memory = compile_design(design, services=unasked(services)).open(task.full)
        rows = [row for row, question in enumerate(task.questions) if question.evidence]
        self._questions = [task.questions[row] for row in rows]
        self._queries = reaching_policy(self._memory, task.queries(rows))

    def __len__(self) -> int:
        """Number of questions."""
        return len(self._questions)

    def episodes(
        self, rows: Sequence[int], times: int, make: Callable[[World], LoraPolicy]
    ) -> tuple[list[list[Judged]], LoraPolicy]:
        """Episodes of some questions.

        Args:
            rows: the questions, by position.
            times: episodes of each.
            make: the policy for a world.

        Returns:
            The episodes by question, and the policy, for which the ``k``-th episode of the ``i``-th question is row
            ``i * times + k``.
        """
        asked = np.repeat(np.asarray(rows, np.int64), times)
        params = self._params
        world = params.world(self._memory, self._queries.select(asked))
        policy = make(world)
        played = rollout(world, policy)
        judged = [
            Judged(self._questions[row], episode, self._memory)
            for row, episode in zip(asked.tolist(), played, strict=True)
        ]
        return [judged[start : start + times] for start in range(0, len(judged), times)], policy
