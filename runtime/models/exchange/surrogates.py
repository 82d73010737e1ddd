"""Halves of surrogate pairs: JSON can write them down, but no file and no call can hold them."""

from __future__ import annotations

import re

_HALF = re.compile(r"[\ud800-\udfff]")


def without_halves(text: str) -> str:
    """The text with U+FFFD for each half of a surrogate pair that stands alone."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)
