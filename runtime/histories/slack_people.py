"""Who the people of a Slack workspace are, and what its channels are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from designsearch.runtime.histories.export_parts import Part
from designsearch.runtime.histories.export_values import items, label, mapping
from designsearch.runtime.histories.files import json_of
from designsearch.runtime.histories.report import LoadReport

USERS = "users.json"
"""How the name of the file about people ends."""

CHANNELS = ("channels.json", "groups.json", "dms.json", "mpims.json")
"""The files about channels."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """What an export says of people and channels.

    Attributes:
        people: names by id.
        channels: names by id; of a talk between few people, theirs.
    """

    people: dict[str, str]
    channels: dict[str, str]


def workspace_of(parts: Sequence[Part], stem: str, report: LoadReport) -> Workspace:
    """What an export says of people and channels.

    Args:
        parts: its files.
        stem: the name of the one file of messages that is read; empty for all.
        report: gets what is missing.

    Raises:
        UserError: a file about them cannot be read.
    """
    people = _people(parts, stem, report)
    return Workspace(people, dict(_channels(parts, people, report)))


def _people(parts: Iterable[Part], stem: str, report: LoadReport) -> dict[str, str]:
    """Names by id, from the file of users whose name is most like that of the file of messages."""
    files = [part for part in parts if part.path.name.lower().endswith(USERS)]
    if not files:
        report.note("no users.json: people are named by their ids")
        return {}
    best = max(files, key=lambda part: (_alike(part.path.name, stem), -len(part.name)))
    users = _rows(best, report)
    names = {label(user.get("id")): name_of(user) for user in users}
    return {own_id: name for own_id, name in names.items() if own_id and name}


def _alike(name: str, stem: str) -> int:
    """How many letters two names begin with that are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(name, stem, strict=False)))


def name_of(user: dict[str, Any]) -> str:
    """The name under which somebody is shown; empty where none is given."""
    profile = mapping(user.get("profile"))
    names = (profile.get("display_name"), profile.get("real_name"), user.get("real_name"), user.get("name"))
    return next((found for name in names if (found := label(name))), "")


def _channels(parts: Iterable[Part], people: dict[str, str], report: LoadReport) -> Iterator[tuple[str, str]]:
    """Names of channels by id; a talk between few people is named after them."""
    for part in parts:
        if part.path.name.lower() not in CHANNELS:
            continue
        for channel in _rows(part, report):
            members = [people.get(label(one), label(one)) for one in items(channel.get("members"))]
            own_id, name = label(channel.get("id")), label(channel.get("name"))
            if own_id and (name or members):
                yield own_id, name or ", ".join(filter(None, members))


def _rows(part: Part, report: LoadReport) -> list[dict[str, Any]]:
    """The objects of a file that says who or what there is."""
    value = json_of(part.data(), part.place, report)
    rows = items(value) or items(mapping(value).get("members"))
    found = [row for row in rows if isinstance(row, dict)]
    if not found or len(found) < len(rows):
        report.note("files about people or channels that hold something else", part.name)
    return found
