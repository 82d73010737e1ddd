"""What is written down of a unit: the source text that it shows, with its time."""

from __future__ import annotations

from designsearch.runtime.episodes.states import Cited, Note
from designsearch.runtime.memory import Memory


def note_of(memory: Memory, unit: int, content: str = "") -> Note:
    """A note that cites all source text of a unit.

    Args:
        memory: whose unit it is.
        unit: global id.
        content: words of a model about it.

    Returns:
        The note; its time is that of the unit's first record, as the history says it.
    """
    store = memory.stores[memory.source_of(unit)[0]]
    units, local = store.units, unit - store.base
    spans = slice(units.offsets[local], units.offsets[local + 1])
    cited = tuple(
        Cited(record, start, end)
        for record, start, end in zip(
            units.records[spans].tolist(), units.starts[spans].tolist(), units.ends[spans].tolist(), strict=True
        )
    )
    return Note(unit, cited, memory.history.time_texts[int(units.first[local])], content)
