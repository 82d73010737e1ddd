"""Headers of mails as text: encoded words, folded lines, bytes that no header may hold; ids and addresses in them."""

from __future__ import annotations

import binascii
import quopri
import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from email.message import Message
from email.utils import getaddresses

from designsearch.runtime.histories.charsets import decode, guessed

_WORD = re.compile(r"=\?([^?\s]*)\?([bBqQ])\?([^?]*)\?=")
_BETWEEN_WORDS = re.compile(r"(\?=)[ \t]+(?==\?[^?\s]*\?[bBqQ]\?)")
_FOLD = re.compile(r"\r?\n[ \t]*")
_OF_MAILS = frozenset({
    "from", "to", "cc", "subject", "date", "message-id", "received", "return-path", "delivered-to", "sender",
    "reply-to", "mime-version", "content-type", "in-reply-to", "references",
})  # fmt: skip
_ID = re.compile(r"<([^<>]+)>")


class Headers:
    """The headers of one mail, decoded when they are asked for."""

    def __init__(self, message: Message) -> None:
        self._raw: dict[str, list[str]] = {}
        for name, value in message.raw_items():
            self._raw.setdefault(name.lower(), []).append(str(value))

    def __bool__(self) -> bool:
        """Whether there is any that mails have; a file without one is no mail, whatever its name says."""
        return not self._raw.keys().isdisjoint(_OF_MAILS)

    def text(self, name: str) -> str:
        """The first header of a name, decoded; empty where there is none."""
        return next(iter(self.texts(name)), "")

    def texts(self, name: str) -> Iterator[str]:
        """All headers of a name, decoded, in order."""
        return (header_text(value) for value in self._raw.get(name, ()))

    def ids(self, name: str) -> list[str]:
        """The message ids in a header, without brackets, each once; words around them are none."""
        text = self.text(name)
        found = ["".join(one.split()) for one in _ID.findall(text)] or [one for one in text.split() if "@" in one]
        return list(dict.fromkeys(filter(None, found)))

    def people(self, *names: str) -> list[tuple[str, str]]:
        """The people in the headers of these names: display name (may be empty) and address."""
        raw = [_unfolded(value) for name in names for value in self._raw.get(name, ())]
        if not raw:
            return []
        try:
            found = getaddresses(raw)
        except (ValueError, LookupError, AttributeError, TypeError):
            found = []
        people = [(header_text(name), header_text(address)) for name, address in found if name or address]
        return people or [(text, "") for value in raw if (text := header_text(value))]


def header_text(raw: str) -> str:
    """A header as people read it: on one line, its encoded words (RFC 2047) decoded, whatever they claim to be.

    Args:
        raw: the header as the parser gives it, bytes above ASCII as surrogates.
    """
    text = _unfolded(raw)
    if "=?" not in text:
        return text
    text = _BETWEEN_WORDS.sub(r"\1", text)
    parts: list[str] = []
    waiting: list[tuple[str, bytes]] = []
    end = 0
    for found in _WORD.finditer(text):
        if found.start() > end:
            parts += [_joined(waiting), text[end : found.start()]]
            waiting = []
        waiting.append((found[1], _word_bytes(found[2], found[3])))
        end = found.end()
    return " ".join("".join([*parts, _joined(waiting), text[end:]]).split())


def _unfolded(raw: str) -> str:
    """A header on one line, bytes above ASCII as the text that they most likely are."""
    text = _FOLD.sub(" ", raw) if "\n" in raw else raw
    if not text.isascii():
        text = guessed(text.encode("utf-8", "surrogateescape"))
    return text.strip()


def _joined(words: Sequence[tuple[str, bytes]]) -> str:
    """Encoded words that follow each other; one letter may be spread over two of the same charset.

    Behind ``*`` a word names its language (RFC 2231).
    """
    text, at = "", 0
    while at < len(words):
        charset, end = words[at][0], at
        while end < len(words) and words[end][0] == charset:
            end += 1
        text += decode(b"".join(data for _, data in words[at:end]), charset.partition("*")[0]).text
        at = end
    return text


def _word_bytes(kind: str, content: str) -> bytes:
    """What an encoded word holds."""
    raw = content.encode("utf-8", "surrogateescape")
    if kind in "qQ":
        return quopri.decodestring(raw, header=True)
    try:
        return b64decode(raw + b"=" * (-len(raw) % 4))
    except (binascii.Error, ValueError):
        return raw
