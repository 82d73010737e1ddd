"""Questions that a policy does not learn from, by which its checkpoints are chosen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from designsearch.search.evaluate import Task

SHARE = 0.25
"""Of each history's questions with evidence, rounded down, at least one where there are two."""


def parted(tasks: Sequence[Task], seed: int) -> tuple[list[Task], list[Task]]:
    """The same histories twice: with the questions to learn from, and with those held out.

    Args:
        tasks: histories with their questions; those without evidence are left out.
        seed: of the draw.
    """
    chance = np.random.default_rng(seed)
    learning, held = [], []
    for task in tasks:
        own = [question for question in task.questions if question.evidence]
        order = chance.permutation(len(own)).tolist()
        count = max(min(1, len(own) - 1), int(SHARE * len(own)))
        held.append(Task(task.dataset, tuple(own[i] for i in sorted(order[:count]))))
        learning.append(Task(task.dataset, tuple(own[i] for i in sorted(order[count:]))))
    return learning, held
