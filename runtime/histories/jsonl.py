"""Histories in our own format: one event a line, as JSON."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, cast, get_args

from designsearch.dsl.problems import InvalidFileError, Problem, nearest
from designsearch.runtime.histories.base import Dataset, loader
from designsearch.runtime.histories.files import head_key, read_json_lines
from designsearch.runtime.histories.images import with_image
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.times import BadTimeError, parse_time
from designsearch.runtime.records import EventKind, Record

KEYS = (
    "id", "text", "time", "known_at", "author", "role", "session", "source", "section", "reply_to", "refs", "scope",
    "event", "meta",
)  # fmt: skip
"""The keys of an event; any other is kept in ``meta`` and reported."""

_CAPTIONS = ("caption", "blip_caption", "image_caption")
_IMAGES = ("image", "images", "img_url", "image_url")
_SCOPES = ("user", "agent", "shared")
_SHOWN_PROBLEMS = 20


class _MistakeError(ValueError):
    """A wrong value: where in the event, what is wrong, what to do."""

    def __init__(self, path: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.path, self.hint = path, hint


def _recognises(path: Path) -> bool:
    if not path.is_file() or path.suffix.lower() == ".json":
        return path.is_file() and head_key(path) in ("", *KEYS)
    return path.suffix.lower() in (".jsonl", ".ndjson")


@loader("jsonl", about="one event a line as JSON, or a JSON array of events", recognises=_recognises)
def read_jsonl(path: Path) -> dict[str, Callable[[], Dataset]]:
    """The one history of a file of JSON lines, named after the file."""
    return {path.stem: lambda: _read(path)}


def _read(path: Path) -> Dataset:
    """All events of a file; every mistake is reported at once."""
    report, problems, events = LoadReport(), list[Problem](), list[Record]()
    reader = _Reader(report)
    for line, value in read_json_lines(path):
        try:
            events.append(reader.event(value, line))
        except _MistakeError as mistake:
            problems.append(Problem(str(path), line, 0, mistake.path, str(mistake), mistake.hint))
    if problems:
        raise InvalidFileError(_first(problems, path))
    report.count("events", len(events))
    if not events:
        report.note("the history is empty", path.name)
    dataset = Dataset(path.stem, tuple(events), (), report)
    report.merge(dataset.log.report)
    return dataset


def _first(problems: list[Problem], path: Path) -> list[Problem]:
    """The first problems, and how many more there are."""
    if len(problems) <= _SHOWN_PROBLEMS:
        return problems
    last = problems[_SHOWN_PROBLEMS]
    more = Problem(str(path), last.line, 0, "", f"and {len(problems) - _SHOWN_PROBLEMS} more mistakes from here on")
    return [*problems[:_SHOWN_PROBLEMS], more]


class _Reader:
    """Turns one JSON value after another into events."""

    def __init__(self, report: LoadReport) -> None:
        self._report = report
        self._derived: Counter[str] = Counter()

    def event(self, value: Any, line: int) -> Record:
        """The event of one line."""
        if not isinstance(value, dict):
            raise _MistakeError("", f"an event is a JSON object, not {_kind(value)}")
        kind = cast("EventKind", _choice(value, "event", get_args(EventKind), "add"))
        meta = self._meta(value)
        fields: dict[str, Any] = {
            key: _string(value, key) for key in ("author", "role", "session", "source", "section")
        }
        fields["reply_to"] = _id(value.get("reply_to"), "reply_to") if value.get("reply_to") is not None else ""
        fields["refs"] = _refs(value.get("refs"))
        fields["text"] = self._text(value, meta, kind)
        fields["scope"] = _choice(value, "scope", _SCOPES, "user" if kind == "add" else "")
        for key in ("time", "known_at"):
            fields[key] = self._time(value, key, meta, line)
        return Record(id=self._event_id(value, fields, kind), event=kind, meta=meta, **fields)

    def _meta(self, value: dict[str, Any]) -> dict[str, Any]:
        """``meta`` with the keys that we do not know."""
        meta = value.get("meta")
        if meta is not None and not isinstance(meta, dict):
            raise _MistakeError("meta", f"must be a JSON object, not {_kind(meta)}")
        kept = dict(meta or {})
        for key in value.keys() - set(KEYS):
            kept.setdefault(key, value[key])
            hint = nearest(key, KEYS)
            self._report.note(f"unknown key {key!r}, kept in meta" + (f" ({hint})" if hint else ""))
        return kept

    def _text(self, value: dict[str, Any], meta: dict[str, Any], kind: str) -> str:
        """The text, with the picture that stands beside it or for it."""
        if kind == "delete":
            return ""
        if "text" not in value:
            hint = next((h for key in value if (h := nearest(key, ("text",))) and key not in KEYS), "")
            raise _MistakeError("text", "is missing; an event that adds or edits a record needs it", hint)
        text = value["text"]
        if text is not None and not isinstance(text, str):
            raise _MistakeError("text", f"must be a string, not {_kind(text)}")
        caption = next((str(meta[key]) for key in _CAPTIONS if meta.get(key)), "")
        has_image = any(meta.get(key) for key in _IMAGES)
        whole = with_image(text or "", caption, has_image=has_image)
        if not whole.strip():
            self._report.note("records without text, kept", str(value.get("id", "")))
        return whole

    def _time(
        self, value: dict[str, Any], key: Literal["time", "known_at"], meta: dict[str, Any], line: int
    ) -> str | None:
        """A time in ISO 8601; one that cannot be read is kept in ``meta`` and reported."""
        raw = value.get(key)
        if raw is None:
            return None
        if isinstance(raw, bool) or not isinstance(raw, str | int | float):
            raise _MistakeError(key, f"must be a time in ISO 8601, not {_kind(raw)}")
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
            return _id(raw, "id")
        if kind != "add":
            raise _MistakeError("id", f"is missing; an event that {kind}s a record must name it")
        parts = (
            fields["time"] or "",
            fields["author"],
            fields["role"],
            fields["session"],
            fields["source"],
            fields["text"],
        )
        made = hashlib.blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
        self._derived[made] += 1
        self._report.note("records without an id, given one made from their content")
        return made if self._derived[made] == 1 else f"{made}~{self._derived[made]}"


def _kind(value: Any) -> str:
    """What a JSON value is, in words."""
    names = {
        dict: "an object",
        list: "an array",
        str: "a string",
        bool: "a boolean",
        int: "a number",
        float: "a number",
    }
    return names.get(type(value), "null")


def _string(value: dict[str, Any], key: str) -> str:
    """An optional string; a number is taken as its digits."""
    raw = value.get(key)
    if raw is None:
        return ""
    if isinstance(raw, bool) or not isinstance(raw, str | int):
        raise _MistakeError(key, f"must be a string, not {_kind(raw)}")
    return str(raw)


def _id(raw: Any, path: str) -> str:
    """An id: a string or an integer, not empty."""
    if isinstance(raw, bool) or not isinstance(raw, str | int):
        raise _MistakeError(path, f"must be a string or an integer, not {_kind(raw)}")
    if raw == "":
        raise _MistakeError(path, "must not be empty")
    return str(raw)


def _refs(raw: Any) -> tuple[str, ...]:
    """A list of ids; a single one stands for a list of one."""
    if raw is None:
        return ()
    items: Iterator[Any] = iter(raw if isinstance(raw, list) else [raw])
    return tuple(_id(item, f"refs[{i}]") for i, item in enumerate(items))


def _choice(value: dict[str, Any], key: str, choices: tuple[str, ...], default: str) -> str:
    """One of a few words."""
    raw = value.get(key)
    if raw is None:
        return default
    if not isinstance(raw, str) or raw not in choices:
        hint = nearest(raw, choices) if isinstance(raw, str) else ""
        raise _MistakeError(key, f"must be one of {', '.join(choices)}, not {raw!r}", hint)
    return raw
