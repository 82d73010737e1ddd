"""How much of what a search found a policy is shown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from designsearch.runtime.episodes.states import Candidate
from designsearch.runtime.memory import Memory
from designsearch.runtime.unit_lengths import unit_lengths


class Window:
    """Shows candidates up to a number of tokens.

    Args:
        memory: whose units they are.
        limit: the most tokens that are shown of one search; a first unit that is longer is shown all the same.
    """

    def __init__(self, memory: Memory, limit: int) -> None:
        self._memory = memory
        self._limit = limit

    def shown(self, found: Sequence[Candidate]) -> tuple[Candidate, ...]:
        """Whole units in order of rank while they fit, at least the first."""
        left, count = self._limit, 0
        for length in self._measured(found):
            if count and length > left:
                break
            left -= length
            count += 1
        return tuple(found[:count])

    def tokens(self, candidates: Sequence[Candidate]) -> int:
        """Tokens of the texts of the candidates."""
        return sum(self._measured(candidates))

    def _measured(self, candidates: Sequence[Candidate]) -> list[int]:
        """Tokens of each text."""
        lengths: list[int] = unit_lengths(self._memory, np.array([one.unit for one in candidates], np.int64)).tolist()
        return lengths
