"""What a history holds, in figures: sources, roles, authors, sessions, and the time that it spans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.times import BadTimeError, Moment, parse_time
from designsearch.runtime.records import Record

NONE = "(none)"
"""How a source, role or author is shown that is not given."""


@dataclass(frozen=True)
class Overview:
    """What a history holds.

    Attributes:
        records: records added; edits and deletions are not among them.
        changes: edits and deletions.
        sources: records by source, most first.
        roles: records by role, most first.
        authors: records by author, most first.
        sessions: number of sessions.
        first: the earliest time, as its source wrote it; ``None`` where no time is known.
        last: the latest one.
        precisions: records by the precision of their time, and ``unknown``.
        zoned: records whose time names a zone.
        report: what was read and what was odd about it.
    """

    records: int
    changes: int
    sources: dict[str, int]
    roles: dict[str, int]
    authors: dict[str, int]
    sessions: int
    first: str | None
    last: str | None
    precisions: dict[str, int]
    zoned: int
    report: LoadReport

    def document(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "records": self.records,
            "changes": self.changes,
            "sources": self.sources,
            "roles": self.roles,
            "authors": self.authors,
            "sessions": self.sessions,
            "time": {
                "first": self.first,
                "last": self.last,
                "precision": self.precisions,
                "with_zone": self.zoned,
            },
            "read": dict(self.report.counts),
            "oddities": [
                {"what": one.what, "count": one.count, "examples": list(one.examples)} for one in self.report.oddities
            ],
        }


def overview(events: Iterable[Record], report: LoadReport) -> Overview:
    """Count what the events of a history are.

    Args:
        events: the log.
        report: what its loader reported.
    """
    events = list(events)
    added = [event for event in events if event.event == "add"]
    moments = [_moment(event.time) for event in added]
    known = sorted((moment for moment in moments if moment is not None), key=lambda moment: moment.instant)
    return Overview(
        records=len(added),
        changes=len(events) - len(added),
        sources=_counted(event.source for event in added),
        roles=_counted(event.role for event in added),
        authors=_counted(event.author for event in added),
        sessions=len({event.session for event in added if event.session}),
        first=known[0].text if known else None,
        last=known[-1].text if known else None,
        precisions=_counted(moment.precision if moment is not None else "unknown" for moment in moments),
        zoned=sum(moment.zoned for moment in known),
        report=report,
    )


def _counted(values: Iterable[str]) -> dict[str, int]:
    """How often each value is there, most first."""
    return {value or NONE: number for value, number in Counter(values).most_common()}


def _moment(text: str | None) -> Moment | None:
    try:
        return None if text is None else parse_time(text)
    except BadTimeError:
        return None
