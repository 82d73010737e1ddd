"""Bytes whose encoding is stated wrongly, unknown or not at all, as text that loses as little as can be."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import NamedTuple

_WIDER = {
    "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "euc_kr": "cp949",
}  # fmt: skip
"""Encodings under whose name a wider one is common; what the narrow one can say reads the same in the wider one."""

_SHIFTING = re.compile(r"utf-?(7|16|32)|iso-?2022|hz", re.IGNORECASE)
"""Encodings in which bytes of ASCII may mean something else."""

_NO_CHARSETS = ("unicode_escape", "raw_unicode_escape", "idna", "punycode", "undefined", "mbcs", "oem")
"""Codecs of Python that are no charsets."""


_JUNK = re.compile(r"[\s;,]")
"""What no name of a charset holds."""


class Decoded(NamedTuple):
    """Text with what was wrong on the way; empty where nothing was."""

    text: str
    wrong: str = ""


def decode(data: bytes, charset: str) -> Decoded:
    """Bytes as text.

    A charset that is unknown, or under which the bytes make no sense, gives way to UTF-8, that to Windows-1252; bytes
    that fit none become U+FFFD.

    Args:
        data: the bytes.
        charset: what their source calls their encoding; may be empty or nonsense.
    """
    codec = _codec(charset)
    wrong = _flaw(charset, codec)
    if codec and _SHIFTING.search(codec):
        return _shifted(data, codec)
    if data.isascii():
        return Decoded(data.decode("ascii"), wrong)
    if codec:
        try:
            return Decoded(data.decode(_WIDER.get(codec, codec)), wrong)
        except (UnicodeError, LookupError):
            wrong = f"bytes that are not {codec}"
    return Decoded(guessed(data), wrong or "no charset")


def guessed(data: bytes) -> str:
    """Bytes of which nobody says how they are encoded, as text: UTF-8, else Windows-1252, broken bytes as U+FFFD."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        mended = data.decode("utf-8", "replace")
    if any(letter > "\x7f" and letter != "\ufffd" for letter in mended):
        return mended  # some of it is UTF-8, so all of it was meant to be
    return data.decode("cp1252", "replace")


def _flaw(charset: str, codec: str) -> str:
    """What is wrong with the name of a charset itself."""
    if not codec:
        return f"the unknown charset {charset!r}" if charset.strip() else ""
    return f"junk behind the charset in {charset!r}" if _JUNK.search(charset.strip()) else ""


def _shifted(data: bytes, codec: str) -> Decoded:
    """Bytes under an encoding of its own kind."""
    try:
        # UTF-7 can spell half a surrogate pair, which no file of UTF-8 could hold
        return Decoded(data.decode(codec).encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    except (UnicodeError, LookupError, ValueError):
        return Decoded(guessed(data), f"bytes that are not {codec}")


@lru_cache(maxsize=1024)
def _codec(charset: str) -> str:
    """The name of the codec that a charset means; empty where there is none. What follows a space or ``;`` is junk."""
    plain = _JUNK.split(charset.strip().strip("\"'"), maxsplit=1)[0].strip("\"'")
    try:
        found = codecs.lookup(plain) if plain else None
    except (LookupError, ValueError):
        return ""
    if found is None or found.name.replace("-", "_") in _NO_CHARSETS:
        return ""
    return found.name if found._is_text_encoding else ""  # noqa: SLF001
