"""A key that no text shows."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

SHORT = 8
"""Characters below which a key is a stand-in such as ``none``: hidden as a word, not inside other words."""


class Secret:
    """An API key: sent to its server, shown nowhere.

    Args:
        key: the key, ``None`` where there is none.
    """

    def __init__(self, key: str | None) -> None:
        self._key = (key or "").strip()
        self._long = len(self._key) >= SHORT
        written = sorted(_ways(self._key), key=len, reverse=True)
        pattern = "|".join(re.escape(way) for way in written)
        self._pattern = re.compile(pattern if self._long else rf"(?<!\w)(?:{pattern})(?!\w)")
        self._bytes = re.compile(b"|".join(re.escape(way.encode()) for way in written))

    def __bool__(self) -> bool:
        return bool(self._key)

    def __repr__(self) -> str:
        return "Secret(***)"

    @property
    def sendable(self) -> bool:
        """Whether a header can hold it: printable ASCII without spaces."""
        return self._key.isascii() and self._key.isprintable() and " " not in self._key

    @property
    def header(self) -> str:
        """The value of the header ``Authorization``."""
        return f"Bearer {self._key}"

    def hide_in(self, data: bytes) -> bytes:
        """Bytes of a server with ``***`` for the key; those of a stand-in, which any text may hold, stay."""
        return self._bytes.sub(b"***", data) if self._long else data

    def hide_within(self, value: Any) -> Any:
        """JSON with ``***`` for the key in its texts, which bytes may hold escaped; a stand-in stays, as in bytes."""
        if not self._long:
            return value
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, list) and not (value and isinstance(value[0], float)):  # a vector is left alone
            return [self.hide_within(item) for item in value]
        if isinstance(value, dict):
            return {self.hide(key): self.hide_within(item) for key, item in value.items()}
        return value

    def hide(self, text: str) -> str:
        """The text with ``***`` for the key."""
        return self._pattern.sub("***", text) if self._key else text


def _ways(key: str) -> set[str]:
    """How a key may stand in a text: as it is, in an address, in JSON that escapes slashes."""
    return {key, quote(key, safe=""), quote(key), key.replace("/", "\\/")}
