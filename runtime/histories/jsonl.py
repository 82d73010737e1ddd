"""Histories in our own format: one event a line, as JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, Literal, cast, get_args

from designsearch.dsl.problems import Problem, nearest
from designsearch.runtime.histories.base import Dataset, loader
from designsearch.runtime.histories.files import head_key, read_json_lines
from designsearch.runtime.histories.images import with_image
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.rows import (
    RowError,
    check_depth,
    choice,
    ids,
    kind_of,
    one_id,
    optional_text,
    raise_problems,
    unknown_keys,
)
from designsearch.runtime.histories.times import BadTimeError, parse_time
from designsearch.runtime.records import EventKind, Record

KEYS = (
    "id", "text", "time", "known_at", "author", "role", "session", "source", "section", "reply_to", "refs", "scope",
    "event", "meta",
)  # fmt: skip
"""The keys of an event; any other is kept in ``meta`` and reported."""

_KEY_SET = frozenset(KEYS)
_TEXTS = ("author", "role", "session", "source", "section")
_CAPTIONS = ("caption", "blip_caption", "image_caption")
_IMAGES = ("image", "images", "img_url", "image_url")
_EVENTS = get_args(EventKind)
_SCOPES = ("user", "agent", "shared")


def _recognises(path: Path) -> bool:
    if not path.is_file() or path.suffix.lower() == ".json":
        return path.is_file() and head_key(path) in ("", *KEYS)
    return path.suffix.lower() in (".jsonl", ".ndjson")


@loader("jsonl", about="one event a line as JSON, or a JSON array of events", recognises=_recognises, general=True)
def read_jsonl(path: Path) -> dict[str, Callable[[], Dataset]]:
    """The one history of a file of JSON lines, named after the file."""
    return {path.stem: partial(_read, path)}


def _read(path: Path) -> Dataset:
    """All events of a file; every mistake is reported at once."""
    report = LoadReport()
    events = read_events(read_json_lines(path, report), path, report)
    if not events:
        report.note("the history is empty", path.name)
    dataset = Dataset(path.stem, tuple(events), (), report)
    report.merge(dataset.log.report)
    return dataset


def read_events(values: Iterable[tuple[int, Any]], place: Path, report: LoadReport) -> list[Record]:
    """The events that plain values describe, as :data:`KEYS` names them.

    Args:
        values: each with its 1-based line, or position.
        place: what the values are from, for messages.
        report: gets what was read and what was odd.

    Raises:
        InvalidFileError: mistakes, each with its line.
    """
    problems, events = list[Problem](), list[Record]()
    reader = _Reader(report)
    for line, value in values:
        try:
            events.append(reader.event(value, line))
        except RowError as mistake:
            problems.append(Problem(str(place), line, 0, mistake.path, str(mistake), mistake.hint))
    raise_problems(place, problems)
    report.count("events", len(events))
    return events


def _with_picture(text: str, meta: dict[str, Any]) -> str:
    """The text with the picture that ``meta`` speaks of, if it does; a text that ends with it already has it."""
    caption = next((str(meta[key]) for key in _CAPTIONS if meta.get(key)), "")
    has_image = any(meta.get(key) for key in _IMAGES)
    shown = with_image("", caption, has_image=has_image)
    return text if text.endswith(shown) else with_image(text, caption, has_image=has_image)


class _Reader:
    """Turns one JSON value after another into events."""

    def __init__(self, report: LoadReport) -> None:
        self._report = report

    def event(self, value: Any, line: int) -> Record:
        """The event of one line."""
        if not isinstance(value, dict):
            raise RowError("", f"an event is a JSON object, not {kind_of(value)}")
        kind = cast("EventKind", choice(value, "event", _EVENTS, "add"))
        meta = self._meta(value)
        fields: dict[str, Any] = {key: optional_text(value, key) for key in _TEXTS}
        fields["reply_to"] = one_id(value.get("reply_to"), "reply_to") if value.get("reply_to") is not None else ""
        fields["refs"] = ids(value.get("refs"), "refs")
        fields["text"] = self._text(value, meta, kind)
        fields["scope"] = choice(value, "scope", _SCOPES, "user" if kind == "add" else "")
        for key in ("time", "known_at"):
            fields[key] = self._time(value, key, meta, line)
        return Record(id=self._event_id(value, fields, kind), event=kind, meta=meta, **fields)

    def _meta(self, value: dict[str, Any]) -> dict[str, Any]:
        """``meta`` with the keys that we do not know."""
        meta = value.get("meta")
        if meta is not None and not isinstance(meta, dict):
            raise RowError("meta", f"must be a JSON object, not {kind_of(meta)}")
        unknown = {} if value.keys() <= _KEY_SET else unknown_keys(value, KEYS, self._report)
        made = {**unknown, **meta} if meta else unknown
        for key, item in made.items():
            check_depth(item, key if key in unknown else f"meta.{key}")
        return made

    def _text(self, value: dict[str, Any], meta: dict[str, Any], kind: str) -> str:
        """The text, with the picture that stands beside it or for it."""
        if kind == "delete":
            return ""
        if "text" not in value and not _with_picture("", meta):
            similar = next((key for key in value if key not in KEYS and nearest(key, ("text",))), None)
            hint = f"there is {similar!r}; did you mean text?" if similar is not None else ""
            hint = "this looks like a question; histories hold records" if "question" in value else hint
            raise RowError("text", "is missing; an event that adds or edits a record needs it", hint)
        text = value.get("text")
        if text is not None and not isinstance(text, str):
            raise RowError("text", f"must be a string, not {kind_of(text)}")
        whole = _with_picture(text or "", meta) if meta else text
        if not whole or whole.isspace():
            self._report.note("records without text, kept", str(value.get("id", "")))
        return whole or ""

    def _time(
        self, value: dict[str, Any], key: Literal["time", "known_at"], meta: dict[str, Any], line: int
    ) -> str | None:
        """A time in ISO 8601; one that cannot be read is kept in ``meta`` and reported."""
        raw = value.get(key)
        if raw is None or raw == "":
            return None
        if isinstance(raw, bool) or not isinstance(raw, str | int | float):
            raise RowError(key, f"must be a time in ISO 8601, not {kind_of(raw)}")
        try:
            return parse_time(raw).text
        except BadTimeError as error:
            meta.setdefault(f"unread_{key}", raw)
            self._report.note("times that cannot be read, taken as unknown", f"line {line}: {error}")
            return None

    def _event_id(self, value: dict[str, Any], fields: dict[str, Any], kind: str) -> str:
        """The id as a string, or one made from the content."""
        raw = value.get("id")
        if raw is not None:
            return one_id(raw, "id")
        if kind != "add":
            raise RowError("id", f"is missing; an event that {kind}s a record must name it")
        parts = [fields[key] or "" for key in ("time", *_TEXTS, "text")]
        made = hashlib.blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
        self._report.note("records without an id, given one made from their content")
        return made  # of equal records the log makes the ids unique, whether they come together or one by one
