"""The memories of a store while units enter it one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np

from designsearch.runtime.operators.storage.likeness import Likeness, nearest
from designsearch.runtime.records import NO_TIME, History, Units
from designsearch.runtime.services import Services

LONG_AGO = NO_TIME + 1
"""When something was superseded that happened at no known time: before any question."""

Span = tuple[int, int, int]
"""Row of a record, and from where to where."""


@dataclass(frozen=True, slots=True)
class Near:
    """A unit that is about to enter.

    Attributes:
        unit: its number.
        memories: the numbers of the stored ones nearest to it, nearest first.
        versions: how often each of them had been rewritten.
    """

    unit: int
    memories: tuple[int, ...]
    versions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a unit does to a stored one, other than stand beside it.

    Attributes:
        action: ``update``, ``delete`` or ``none``.
        target: number of the stored one.
        text: the new text of an update.
    """

    action: str
    target: int
    text: str


@dataclass
class _Memory:
    """A stored one; a memory has the number of the unit that it was added for."""

    text: str
    spans: list[Span]
    views: dict[str, str]
    earlier: list[str] = field(default_factory=list)
    version: int = 0
    valid_until: int = NO_TIME


class Consolidation:
    """Stored memories and the units that still wait.

    Args:
        units: what enters, in order.
        history: their history.
        services: holds the embedder.
        neighbors: the most stored ones that a unit meets.
        threshold: the least cosine with them.
        validity: whether superseded ones stay.
    """

    def __init__(
        self, units: Units, history: History, services: Services, neighbors: int, threshold: float, validity: bool
    ) -> None:
        self._incoming = units
        self._times = history.times[units.first]
        self._embedder = services.embedder
        self._neighbors = neighbors
        self._threshold = threshold
        self._validity = validity
        self._likeness = Likeness(services.embedder.embed(units.texts))
        self._meetable = np.zeros(len(units), bool)
        """Whether there is a memory of that number that was not superseded."""
        self._memories: dict[int, _Memory] = {}
        self._next = 0
        self._changed = False
        self._changed_in_wave = False

    @property
    def pending(self) -> bool:
        """Whether units still wait."""
        return self._next < len(self._incoming)

    def text(self, memory: int) -> str:
        """What a memory says now."""
        return self._memories[memory].text

    def first_record(self, memory: int) -> int:
        """Row of the record that lends a memory its time and author."""
        return self._memories[memory].spans[0][0]

    def wave(self) -> list[Near]:
        """The longest run of waiting units that meet neither a memory that an earlier one meets nor each other."""
        found: list[Near] = []
        met: set[int] = set()
        self._changed_in_wave = False
        for unit in range(self._next, self._likeness.stop(self._next)):
            if self._meets_waiting(unit):
                break
            near = self._near(unit)
            if not met.isdisjoint(near.memories):
                break
            met.update(near.memories)
            found.append(near)
        return found

    def _meets_waiting(self, unit: int) -> bool:
        waiting = self._likeness.with_units(unit, slice(self._next, unit))
        return bool((waiting >= self._threshold).any())

    def _near(self, unit: int) -> Near:
        cosines = self._likeness.with_units(unit, slice(self._next))
        among = self._meetable[: self._next]
        memories = tuple(nearest(cosines, self._threshold, self._neighbors, among).tolist())
        return Near(unit, memories, tuple(self._memories[memory].version for memory in memories))

    def still(self, near: Near) -> bool:
        """Whether a unit, which is the next to enter, still meets what it met when it was asked about."""
        # those that the wave added do not meet it: only what it rewrote or superseded can make a difference
        return not self._changed_in_wave or self._near(near.unit) == near

    def store(self, near: Near, decision: Decision | None) -> None:
        """Let the next unit enter."""
        unit = near.unit
        self._next = unit + 1
        if decision is None:
            self._add(unit)
            return
        self._changed = True
        memory = self._memories[decision.target]
        if decision.action == "none":
            memory.spans = _joined(memory.spans, self._spans(unit))
            return
        self._changed_in_wave = True
        if decision.action == "update":
            self._update(decision, unit)
        elif self._validity:
            self._add(unit)
            memory.valid_until = self._until(unit, decision.target)
            self._meetable[decision.target] = False
        else:
            self._add(unit)
            added = self._memories[unit]
            added.spans = _joined(added.spans, memory.spans)
            added.earlier = [*memory.earlier, memory.text]
            del self._memories[decision.target]
            self._meetable[decision.target] = False

    def _add(self, unit: int) -> None:
        views = {name: texts[unit] for name, texts in self._incoming.views.items()}
        self._memories[unit] = _Memory(self._incoming.texts[unit], self._spans(unit), views)
        self._meetable[unit] = True

    def _update(self, decision: Decision, unit: int) -> None:
        memory = self._memories[decision.target]
        memory.earlier.append(memory.text)
        memory.text = decision.text
        memory.spans = _joined(self._spans(unit), memory.spans)
        for name, texts in self._incoming.views.items():
            memory.views[name] = "\n".join(dict.fromkeys(filter(None, (memory.views[name], texts[unit]))))
        memory.version += 1
        self._likeness.replace(decision.target, self._embedder.embed([decision.text])[0])

    def _spans(self, unit: int) -> list[Span]:
        units = self._incoming
        own = slice(int(units.offsets[unit]), int(units.offsets[unit + 1]))
        return list(zip(units.records[own].tolist(), units.starts[own].tolist(), units.ends[own].tolist(), strict=True))

    def _until(self, unit: int, memory: int) -> int:
        """When a unit superseded a memory: at its own time, else at once after the memory's."""
        known = [int(self._times[one]) for one in (unit, memory) if self._times[one] != NO_TIME]
        return known[0] if known else LONG_AGO

    def units(self) -> Units:
        """The memories, in the order in which they were added."""
        made = [self._memories[number] for number in sorted(self._memories)]
        spans = np.array([span for memory in made for span in memory.spans], np.int64).reshape(-1, 3)
        return Units(
            texts=tuple(memory.text for memory in made),
            offsets=np.array([0, *accumulate(len(memory.spans) for memory in made)], np.int64),
            records=spans[:, 0].copy(),
            starts=spans[:, 1].copy(),
            ends=spans[:, 2].copy(),
            written=self._incoming.written or self._changed,
            views={name: tuple(memory.views[name] for memory in made) for name in self._incoming.views},
            valid_until=np.array([memory.valid_until for memory in made], np.int64) if self._validity else None,
            earlier={number: tuple(memory.earlier) for number, memory in enumerate(made) if memory.earlier},
        )


def _joined(first: Sequence[Span], then: Sequence[Span]) -> list[Span]:
    return list(dict.fromkeys([*first, *then]))
