"""Loading histories: a registry of formats, and one way in.

A loader turns a source into *data sets*: the log of a history's events with the questions that belong to it. It is one
function in one file of this package, registered by :func:`loader`; nothing else has to be edited.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TypeVar

from designsearch.dsl.problems import UserError, nearest
from designsearch.dsl.regular_file import odd_kind
from designsearch.runtime.histories.fold import EventLog
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.times import Moment
from designsearch.runtime.records import History, Question, Record


@dataclass(frozen=True)
class Dataset:
    """One history with what its source brings along.

    Attributes:
        name: the history's name within its source: a persona, a conversation, a file.
        events: the log, in order of arrival.
        questions: the official questions; empty where the source has none.
        report: what was read and what was odd about it.
    """

    name: str
    events: tuple[Record, ...]
    questions: tuple[Question, ...] = ()
    report: LoadReport = field(default_factory=LoadReport)

    @cached_property
    def log(self) -> EventLog:
        """The events, settled: look at it as of any moment, or append to it."""
        return EventLog(self.events)

    def history(self, as_of: Moment | None = None) -> History:
        """The snapshot of what was known by ``as_of``; of everything where that is ``None``."""
        return self.log.snapshot(self.name, as_of)


Opened = Mapping[str, Callable[[], Dataset]]
"""The histories of one source by name, each read only when it is called for."""


@dataclass(frozen=True, slots=True)
class Format:
    """A registered format.

    Attributes:
        name: as ``--format`` names it.
        about: one line for people.
        recognises: whether a path looks like this format; looks at names and at the head of files only.
        open: the histories of a source by name.
        general: whether it takes only what no format of a narrower kind recognises.
    """

    name: str
    about: str
    recognises: Callable[[Path], bool]
    open: Callable[[Path], Opened]
    general: bool = False


_FORMATS: dict[str, Format] = {}
_Open = TypeVar("_Open", bound=Callable[[Path], Opened])


def loader(
    name: str, *, about: str, recognises: Callable[[Path], bool], general: bool = False
) -> Callable[[_Open], _Open]:
    """Register the function that opens sources of one format.

    Args:
        name: as ``--format`` names it.
        about: one line for people.
        recognises: whether a path looks like this format.
        general: whether it takes only what no format of a narrower kind recognises, such as any JSON lines.
    """

    def register(function: _Open) -> _Open:
        _FORMATS[name] = Format(name, about, recognises, function, general)
        return function

    return register


@cache
def formats() -> Mapping[str, Format]:
    """Every format, by name."""
    package = __name__.rpartition(".")[0]
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        importlib.import_module(f"{package}.{module.name}")
    return dict(sorted(_FORMATS.items()))


def parse_history_ref(ref: str) -> tuple[Path, str | None]:
    """Split ``PATH#NAME``; a path that exists as it stands is left whole, ``#`` and all.

    Raises:
        UserError: the path or the name is missing.
    """
    if "#" not in ref or Path(ref).exists():
        path, name = ref, None
    else:
        path, name = _at_hash(ref)
    if not path.strip():
        raise UserError(f"history {ref!r}: the path is missing; write PATH or PATH#NAME")
    if name is not None and not name.strip():
        raise UserError(f"history {ref!r}: the name after '#' is missing; write PATH for all of them, or PATH#NAME")
    return Path(path), name


def _at_hash(ref: str) -> tuple[str, str]:
    """The two sides of the last ``#`` before which a path stands that exists; of the last one where there is none."""
    places = [at for at, letter in enumerate(ref) if letter == "#"]
    at = next((at for at in reversed(places) if at and Path(ref[:at]).exists()), places[-1])
    return ref[:at], ref[at + 1 :]


def load(
    path: str | Path,
    format: str | None = "auto",  # noqa: A002  the word of the study file and of the option
    name: str | None = None,
    sources: str | Sequence[str] | None = None,
) -> list[Dataset]:
    """Load the histories of a source.

    Args:
        path: a file or folder, or ``PATH#NAME``.
        format: a format's name; ``None`` or ``auto``: found by looking.
        name: only this history; ``None``: all of them.
        sources: keep only records from these sources (``conversation``, ``email``, ...); ``None``: all of them.

    Returns:
        One data set a history, in order of name.

    Raises:
        UserError: the path, format, name or source is not there, or a file has a mistake (with file and line).
    """
    where, named = (path, None) if isinstance(path, Path) else parse_history_ref(path)
    name = name or named
    if not where.exists():
        raise UserError(f"{where}: there is no such file or folder")
    opened = find_format(where, format or "auto").open(where)
    if name is not None and name not in opened:
        hint = nearest(name, opened)
        known = ", ".join(sorted(opened)) or "none at all"
        raise UserError(f"{where}: holds no history {name!r}" + (f"; {hint}" if hint else "") + f" (it holds: {known})")
    found = [opened[one]() for one in sorted(opened) if name in (None, one)]
    if not found:
        raise UserError(f"{where}: holds no history")
    if sources is None:
        return found
    return keep_sources(where, found, sources)


def find_format(path: Path, name: str = "auto") -> Format:
    """The format of that name; for ``auto`` the one that recognises the path.

    Raises:
        UserError: there is no such format, the path fits none, or several, or is a pipe or a device.
    """
    if path.exists() and (kind := odd_kind(path)):
        raise UserError(f"{path}: is {kind}, no file or folder; write its content to a file and name that")
    known = formats()
    if name in known:
        return known[name]
    if name != "auto":
        hint = nearest(name, known)
        raise UserError(
            f"unknown format {name!r}" + (f"; {hint}" if hint else "") + f" (known: auto, {', '.join(known)})"
        )
    if path.is_dir() and not os.access(path, os.R_OK | os.X_OK):
        raise UserError(f"{path}: may not be read; allow that first")
    fits = [entry for entry in known.values() if entry.recognises(path)]
    fits = [entry for entry in fits if not entry.general] or fits
    if len(fits) == 1:
        return fits[0]
    listed = "\n".join(f"  {entry.name}: {entry.about}" for entry in fits or known.values())
    what = "fits several formats" if fits else "is in no known format"
    raise UserError(f"{path}: {what}; name one with `format`:\n{listed}")


def keep_sources(path: Path | str, datasets: Sequence[Dataset], sources: str | Sequence[str]) -> list[Dataset]:
    """The data sets with only the records from those sources.

    Raises:
        UserError: no record comes from one of them.
    """
    sources = [sources] if isinstance(sources, str) else sources
    known = sorted({event.source for dataset in datasets for event in dataset.events})
    for source in sources:
        if source not in known:
            hint = nearest(source, known)
            listed = ", ".join(name or "(none)" for name in known) or "none at all"
            raise UserError(
                f"{path}: no record comes from source {source!r}"
                + (f"; {hint}" if hint else "")
                + f" (sources: {listed})"
            )
    return [_keep(dataset, frozenset(sources)) for dataset in datasets]


def _keep(dataset: Dataset, sources: frozenset[str]) -> Dataset:
    """One data set with only the records from those sources, and the edits and deletions of those."""
    ids = {event.id for event in dataset.events if event.event == "add" and event.source in sources}
    kept = tuple(e for e in dataset.events if e.source in sources or (e.event != "add" and e.id in ids))
    report = LoadReport()
    report.merge(dataset.report)
    if left_out := len(dataset.events) - len(kept):
        report.note("records left out by `sources`", number=left_out)
    if dataset.events and not kept:
        report.note("the history has no record from these sources", ", ".join(sorted(sources)))
    return replace(dataset, events=kept, report=report)
