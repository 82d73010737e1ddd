"""How much of what a search found a policy is shown."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.runtime.episodes.states import Candidate
from designsearch.runtime.memory import Memory


class Window:
    """Shows candidates up to a number of tokens.

    Args:
        memory: whose units they are.
        limit: the most tokens that are shown of one search; a first unit that is longer is shown all the same.
    """

    def __init__(self, memory: Memory, limit: int) -> None:
        self._memory = memory
        self._limit = limit
        self._lengths: dict[int, int] = {}

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
        """Tokens of each text; each unit is counted once."""
        new = [one.unit for one in candidates if one.unit not in self._lengths]
        if new:
            counts = self._memory.services.counter.count_all([self._memory.text(unit) for unit in new])
            self._lengths.update(zip(new, counts.tolist(), strict=True))
        return [self._lengths[one.unit] for one in candidates]
