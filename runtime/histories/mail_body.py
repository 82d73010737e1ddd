"""The text of a mail and what is attached to it, out of whatever parts it is made of."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from email.message import Message
from pathlib import PurePosixPath

from designsearch.runtime.histories.charsets import decode
from designsearch.runtime.histories.html_sections import read_html
from designsearch.runtime.histories.mail_attachments import Attachment
from designsearch.runtime.histories.mail_headers import Headers, header_text

PARSER_FAILS = (LookupError, ValueError, TypeError, AttributeError, AssertionError, RecursionError)
"""What the standard library raises on mails that nobody should have written."""

_DEEPEST = 40
"""Levels of parts within parts that are looked into."""

_BLOCKQUOTE = re.compile(r"<(/?)blockquote\b[^>]*>", re.IGNORECASE)
_TEXT_ENDS = (".txt", ".md", ".markdown", ".csv", ".tsv", ".htm", ".html", ".ics", ".json", ".log", ".rst", ".org")
_NO_WORDS = ("text/calendar", "text/vcard", "text/x-vcard", "text/directory", "text/csv", "text/css")
"""Kinds of text that nobody writes a mail in."""


@dataclass
class Body:
    """What a mail holds.

    Attributes:
        texts: its text, part by part.
        attachments: what is attached.
        wrong: what was wrong with its encodings and parts, each once.
    """

    texts: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    wrong: dict[str, None] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The whole text."""
        return "\n\n".join(text.strip("\n") for text in self.texts if text.strip())


def read_body(message: Message) -> Body:
    """The text and the attachments of a mail; a part that cannot be read is named in ``wrong``."""
    body = Body()
    _read(message, body, 0)
    return body


def _read(part: Message, body: Body, depth: int) -> None:
    if depth > _DEEPEST:
        body.wrong["parts nested too deeply, left out"] = None
        return
    kind = part.get_content_type()
    inner = part.get_payload()
    if kind == "message/rfc822" and isinstance(inner, list):
        for mail in inner:
            if isinstance(mail, Message):
                _forwarded(mail, body, depth)
    elif isinstance(inner, list):
        parts = [one for one in inner if isinstance(one, Message)]
        if kind == "multipart/alternative":
            _alternative(parts, body, depth)
        else:
            for one in parts:
                _read(one, body, depth + 1)
    else:
        _leaf(part, kind, body)


def _alternative(parts: list[Message], body: Body, depth: int) -> None:
    """The first version of a text that has words, plain text before any other; what is attached to the others too."""
    versions = []
    for part in parts:
        version = Body()
        _read(part, version, depth + 1)
        versions.append((part.get_content_type() != "text/plain", version))
    chosen = next((v for _, v in sorted(versions, key=lambda pair: pair[0]) if v.text), None)
    for _, version in versions:
        body.attachments += version.attachments
    if chosen is not None:
        body.texts += chosen.texts
        body.wrong |= chosen.wrong


def _forwarded(mail: Message, body: Body, depth: int) -> None:
    """A mail within the mail, below the headers that a reader wants to see."""
    headers, inner = Headers(mail), Body()
    _read(mail, inner, depth + 1)
    head = [f"{name}: {text}" for name in ("From", "Date", "To", "Subject") if (text := headers.text(name.lower()))]
    body.texts.append("\n".join(["---------- Forwarded message ----------", *head, "", inner.text]))
    body.attachments += inner.attachments
    body.wrong |= inner.wrong


def _leaf(part: Message, kind: str, body: Body) -> None:
    """A part that holds something itself."""
    name = _file_name(part)
    broken = kind.startswith(("multipart/", "message/"))  # parts of which none could be told apart
    readable = broken or kind.startswith("text/") or PurePosixPath(name.lower()).suffix in _TEXT_ENDS
    attached = bool(name) or kind in _NO_WORDS or part.get_content_disposition() == "attachment"
    if not readable:
        body.attachments.append(Attachment(name or kind))
        return
    text = _text(part, body)
    html = kind == "text/html" or PurePosixPath(name.lower()).suffix in (".htm", ".html")
    if attached:
        body.attachments.append(Attachment(name or kind, text, html))
    elif html:
        body.texts.append(html_text(text))
    else:
        body.texts.append(text)


def _file_name(part: Message) -> str:
    """The file name of a part; of a path its last step."""
    try:
        name = part.get_filename() or ""
    except PARSER_FAILS:
        return "unnamed"
    return re.split(r"[/\\]", header_text(name))[-1].strip()


def _text(part: Message, body: Body) -> str:
    """The decoded text of a part."""
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    try:
        charset, empty = part.get_content_charset(""), part.get_param("charset") == ""
    except PARSER_FAILS:
        charset, empty = "?", False
    found = decode(data, charset)
    if wrong := "an empty charset" if empty else found.wrong:
        body.wrong[wrong] = None
    text = found.text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    if str(part.get_param("format", "")).lower() == "flowed":
        return unflowed(text, deletes_space=str(part.get_param("delsp", "")).lower() == "yes")
    return text


def unflowed(text: str, *, deletes_space: bool = False) -> str:
    """Text in ``format=flowed`` (RFC 3676) with its paragraphs on one line each.

    Args:
        text: the text as it was sent.
        deletes_space: ``delsp=yes``: the space at the end of a line is no part of the text.
    """
    lines: list[str] = []
    open_depth = -1
    for raw in text.split("\n"):
        rest = raw.lstrip(">")
        depth, content = len(raw) - len(rest), rest.removeprefix(" ")
        flows = content.endswith(" ") and content != "-- "
        line = content[:-1] if flows and deletes_space else content
        if depth == open_depth and content != "-- ":
            lines[-1] += line
        else:
            lines.append(f"{'>' * depth} {line}" if depth else line)
        open_depth = depth if flows else -1
    return "\n".join(lines)


def html_text(html: str) -> str:
    """A mail in HTML as text, what it quotes behind ``>`` as in plain text."""
    lines: list[str] = []
    depth = end = 0
    for mark in [*_BLOCKQUOTE.finditer(html), None]:
        segment = html[end : mark.start()] if mark else html[end:]
        text = "\n".join(section.text for section in read_html(segment).sections)
        lines += [f"{'>' * depth} {line}" if depth else line for line in text.split("\n")] if text else []
        if mark:
            end = mark.end()
            depth = max(0, depth + (-1 if mark[1] else 1))
    return "\n".join(lines)
