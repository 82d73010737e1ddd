"""One normal form for text that is compared: NFKC, case folded, dashes and quotes mapped, diacritics kept."""

from __future__ import annotations

import unicodedata

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4`"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"
_INVISIBLE = "\u00ad\u200b\u200e\u200f\u2060\ufeff"
_PLAIN = {
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(_SINGLE_QUOTES, "'"),
    **dict.fromkeys(_DOUBLE_QUOTES, '"'),
    **dict.fromkeys(_INVISIBLE, ""),
    # as NFKC maps it; text without it is mostly in that form already, which costs nothing to see
    "\u2026": "...",
}


def fold(text: str) -> str:
    """The normal form; white space and punctuation stay where they are.

    Folding the case can undo a composition and the other way round, hence the second pass over text beyond ASCII.
    """
    once = _pass(text)
    return once if once.isascii() else _pass(once)


def _pass(text: str) -> str:
    if text.isascii():
        return text.lower().replace("`", "'")
    for character, plain in _PLAIN.items():
        text = text.replace(character, plain)
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def fold_line(text: str) -> str:
    """The normal form of a short answer: white space collapsed, one closing full stop, ``!`` or ``?`` run dropped."""
    line = " ".join(fold(text).split())
    return line.rstrip(".!? ") or line
