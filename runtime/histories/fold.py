"""The log of events folded to a snapshot.

A history is a log: records are added, edited and deleted. The order of the log decides: an event acts on what earlier
events made, so that a log that grew by appending folds to the same snapshot as the same log loaded at once.

- A second record with an id that is in use gets ``id~2`` (``id~3``, ...): reported, never lost. A record added again
  after its deletion takes its old id.
- An edit replaces the text and every other field that it gives (an empty one leaves what was there). The record keeps
  its id, and its own time unless the edit has both ``time`` (when the thing happened) and ``known_at`` (when the edit
  was made).
- ``as_of`` shows only what was known by then: an event counts from its ``known_at``, else its ``time``. An event
  without either counts as known with the last dated event before it in the log, or always where there is none.
- The snapshot is in order of time, ties in order of arrival. A record without a time stays behind the record that it
  follows in the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.times import BadTimeError, Moment, parse_time
from designsearch.runtime.records import NO_TIME, Column, History, Record


def fold(events: Sequence[Record], name: str, as_of: Moment | None = None) -> History:
    """The snapshot of a log.

    Args:
        events: the log, in order of arrival.
        name: the history's name, for people.
        as_of: nothing known later than this is visible; ``None``: everything is.

    Returns:
        The records that are there, column by column.
    """
    return EventLog(events).snapshot(name, as_of)


@dataclass(slots=True)
class _Entry:
    """One event as it was settled: what it acts on, and when it counts."""

    event: Record
    slot: int
    known: Moment | None
    happened: Moment | None
    previous: Moment | None


class EventLog:
    """A growing log that can be looked at as of any moment; each event is settled once, when it is appended.

    Attributes:
        report: problems met: duplicate ids, events about records that are not there, times that cannot exist.
    """

    def __init__(self, events: Iterable[Record] = ()) -> None:
        self.report = LoadReport()
        self._entries: list[_Entry] = []
        self._slots: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._alive: list[bool] = []
        self._last: Moment | None = None
        self._last_known: Moment | None = None
        self._latest: tuple[tuple[str, Moment | None, int], History] | None = None
        self.append(events)

    def __len__(self) -> int:
        """Number of events that took effect."""
        return len(self._entries)

    def append(self, events: Iterable[Record]) -> list[str]:
        """Settle further events at the end of the log; the ids of the records that they act on, made unique."""
        return [self._add(event) if event.event == "add" else self._change(event) for event in events]

    def forget(self, record_id: str) -> bool:
        """Take every event of a record out of the log, so that nothing of its text is left in it.

        Returns:
            Whether there was such a record.
        """
        slot = self._slots.get(record_id)
        kept = [entry for entry in self._entries if entry.slot != slot]
        if slot is None or len(kept) == len(self._entries):
            return False
        self._entries = kept
        self._alive[slot] = False
        self._latest = None
        return True

    def _add(self, event: Record) -> str:
        slot = self._slots.get(event.id)
        if slot is not None and self._alive[slot]:
            event = replace(event, id=self._free_id(event.id))
            slot = None
        if slot is None:
            slot = self._slots[event.id] = len(self._alive)
            self._alive.append(True)
        self._alive[slot] = True
        self._settle(event, slot)
        return event.id

    def _free_id(self, taken: str) -> str:
        n = self._numbers.get(taken, 1) + 1
        while f"{taken}~{n}" in self._slots:
            n += 1
        self._numbers[taken] = n
        self.report.note("duplicate ids, made unique", f"{taken} -> {taken}~{n}")
        return f"{taken}~{n}"

    def _change(self, event: Record) -> str:
        slot = self._slots.get(event.id)
        if slot is None or not self._alive[slot]:
            self.report.note(f"{event.event} of a record that is not there, ignored", event.id)
            return event.id
        self._alive[slot] = event.event != "delete"
        self._settle(event, slot)
        return event.id

    def _settle(self, event: Record, slot: int) -> None:
        happened, known = self._moment(event, event.time), self._moment(event, event.known_at)
        known = known or happened
        self._last_known = known or self._last_known
        self._entries.append(_Entry(event, slot, self._last_known, happened, self._last))
        if event.event == "add":
            self._last = happened or self._last

    def _moment(self, event: Record, time: str | None) -> Moment | None:
        if time is None:
            return None
        try:
            return parse_time(time)
        except BadTimeError as error:
            self.report.note("times that cannot be read, taken as unknown", f"{event.id}: {error}")
            return None

    def snapshot(self, name: str, as_of: Moment | None = None) -> History:
        """The records that are there, as far as they were known by ``as_of``; the latest one is kept."""
        key = (name, as_of, len(self._entries))
        if self._latest is None or self._latest[0] != key:
            self._latest = key, self._fold(name, as_of)
        return self._latest[1]

    def _fold(self, name: str, as_of: Moment | None) -> History:
        there: dict[int, tuple[Record, Moment | None, Moment | None]] = {}
        for entry in self._entries:
            if as_of is not None and entry.known is not None and not entry.known.known_by(as_of):
                continue
            event, current = entry.event, there.get(entry.slot)
            if event.event == "add":
                there[entry.slot] = (event, entry.happened, entry.happened or entry.previous)
            elif event.event == "delete":
                there.pop(entry.slot, None)
            elif current is not None:
                there[entry.slot] = _edited(current, entry)
        rows = list(there.values())
        keys = np.array([-np.inf if place is None else place.instant for _, _, place in rows], dtype=np.float64)
        return _columns(name, [rows[i] for i in np.argsort(keys, kind="stable")])


def _edited(
    current: tuple[Record, Moment | None, Moment | None], entry: _Entry
) -> tuple[Record, Moment | None, Moment | None]:
    """A record after an edit: what the edit gives replaces what was there."""
    record, happened, key = current
    edit = entry.event
    given = {
        name: value
        for name in ("author", "role", "session", "source", "section", "reply_to", "refs", "scope")
        if (value := getattr(edit, name))
    }
    record = replace(record, text=edit.text, meta={**record.meta, **edit.meta}, **given)
    if edit.known_at is not None and entry.happened is not None:
        return replace(record, time=edit.time), entry.happened, entry.happened
    return record, happened, key


def _columns(name: str, rows: Sequence[tuple[Record, Moment | None, Moment | None]]) -> History:
    """Ordered records, column by column."""
    records = [record for record, _, _ in rows]
    moments = [moment for _, moment, _ in rows]
    return History(
        name=name,
        ids=tuple(r.id for r in records),
        texts=tuple(r.text for r in records),
        times=np.array([NO_TIME if m is None else m.local for m in moments], dtype=np.int64),
        time_texts=tuple("" if m is None else m.text for m in moments),
        authors=Column.of(r.author for r in records),
        roles=Column.of(r.role for r in records),
        sessions=Column.of(r.session for r in records),
        sources=Column.of(r.source for r in records),
        sections=Column.of(r.section for r in records),
        scopes=Column.of(r.scope for r in records),
        reply_to=tuple(r.reply_to for r in records),
        refs={i: r.refs for i, r in enumerate(records) if r.refs},
        meta={i: r.meta for i, r in enumerate(records) if r.meta},
    )
