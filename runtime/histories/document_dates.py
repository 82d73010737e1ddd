"""What a document says of itself before its text begins, and the date that its name or its head gives it."""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple

from designsearch.runtime.histories.times import Moment, first_time

_FRONT = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?)^\1[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_ENTRY = re.compile(r"^([A-Za-z][\w -]*?)[ \t]*[:=][ \t]*(.+?)[ \t]*$", re.MULTILINE)
_META = re.compile(r"<meta\b[^>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"""\b(name|property|itemprop|content)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE
)
_TITLE = re.compile(r"<title\b[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_DATE_KEYS = (
    "date", "created", "created_at", "created at", "creation_date", "published", "published_at", "pubdate", "datetime",
    "article:published_time", "dc.date", "dcterms.date", "dcterms.created", "datepublished",
)  # fmt: skip
"""What the entries are called that date a document, the surest first."""

_IN_NAME = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?:(?P<mark>[-_./])(?P<month>\d\d)(?:(?P=mark)(?P<day>\d\d))?"
    r"|(?P<month8>\d\d)(?P<day8>\d\d))(?!\d)"
)


class Head(NamedTuple):
    """What a document says of itself.

    Attributes:
        entries: by lower-case name.
        text: the document without it.
    """

    entries: dict[str, str]
    text: str

    def moment(self) -> Moment | None:
        """The date that the document gives itself."""
        return next((moment for key in _DATE_KEYS if (moment := _parsed(self.entries.get(key, ""))) is not None), None)


def markdown_head(text: str) -> Head:
    """The front matter of a Markdown document: lines between ``---`` (YAML) or ``+++`` (TOML), read one by one."""
    found = _FRONT.match(text)
    if found is None:
        return Head({}, text)
    entries = {key.lower(): _bare(value) for key, value in _ENTRY.findall(found[2])}
    return Head(entries, text[found.end() :])


def html_head(text: str) -> Head:
    """The title and the ``meta`` elements of an HTML document, whose text stays whole."""
    entries: dict[str, str] = {}
    for element in _META.findall(text):
        values = {name.lower(): unescape(a or b or c) for name, a, b, c in _ATTRIBUTE.findall(element)}
        key = values.get("name") or values.get("property") or values.get("itemprop")
        if key and values.get("content"):
            entries.setdefault(key.lower(), values["content"].strip())
    if found := _TITLE.search(text):
        entries.setdefault("title", " ".join(unescape(found[1]).split()))
    return Head(entries, text)


def date_in_name(path: str) -> Moment | None:
    """The date in a path: in its last step (``2024-03-05 notes.md``, ``20240305.md``, ``2024-03.md``), or in several.

    Args:
        path: steps parted by ``/``; ``2024/03/05.md`` is a date too.
    """
    for text in (path.rpartition("/")[2], path):
        for found in _IN_NAME.finditer(text):
            month, day = found["month"] or found["month8"], found["day"] or found["day8"]
            moment = _parsed("-".join(part for part in (found["year"], month, day) if part))
            if moment is not None:
                return moment
    return None


def _parsed(text: str) -> Moment | None:
    """The time of a text; comments behind it are passed over."""
    return first_time(text, text.partition(" #")[0].strip())


def _bare(value: str) -> str:
    """A value without quotes around it."""
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value
