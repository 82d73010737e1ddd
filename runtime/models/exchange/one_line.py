"""A server's or a model's words inside a message of ours."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def one_line(text: str, limit: int = 160) -> str:
    """The text on one line, without control characters; longer than ``limit`` characters it ends in ``...``."""
    joined = " ".join(_CONTROL.sub(" ", text[: 8 * limit]).split())
    return joined if len(joined) <= limit else joined[: limit - 3].rstrip() + "..."
