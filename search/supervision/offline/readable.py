"""A text as people read it: without placeholders in brackets, addresses, and the labels of a letter's head."""

from __future__ import annotations

import re

MOST_TEXT = 4000
"""Characters that are read: what a person says of a thing stands near the beginning."""

_UNREAD = re.compile(
    r"\[[^\[\]\n]{0,500}\](?!\()"
    r"|(?:https?://|www\.)[^\s<>]{1,2000}"
    r"|(?<![\w.+@-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"
    r"|^[ \t]*(?:[>#*+|-]{1,6}[ \t]*)?\*{0,2}[A-Z][\w-]{1,19}(?: [\w-]{1,19}){0,2}\*{0,2}:\*{0,2}(?=\s)",
    re.MULTILINE,
)


def readable(text: str) -> str:
    """The beginning of a text, of the same length and with the same places; what is not read is dots there."""
    return _UNREAD.sub(lambda found: "." * len(found[0]), text[:MOST_TEXT])
