"""Mails put together to threads by what they refer to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from designsearch.runtime.records import Record


def threaded(events: Sequence[Record]) -> list[Record]:
    """The records with their thread as session.

    Records belong to one thread where one refers to the other, or both to a third, also to one that is not there. A
    thread is called after the first mail that its first record refers to, which is the one that began it.

    Args:
        events: mails, and what is attached to them, with ``refs``.
    """
    above: dict[str, str] = {}

    def root(name: str) -> str:
        above.setdefault(name, name)
        while above[name] != name:
            above[name] = above[above[name]]
            name = above[name]
        return name

    for event in events:
        for ref in event.refs:
            above[root(ref)] = root(event.id)
    names: dict[str, str] = {}
    for event in events:
        names.setdefault(root(event.id), event.refs[0] if event.refs else event.id)
    return [replace(event, session=names[root(event.id)]) for event in events]
