"""A key that no text shows."""

from __future__ import annotations

import re

SHORT = 8
"""Characters below which a key is a stand-in such as ``none``: hidden as a word, not inside other words."""


class Secret:
    """An API key: sent to its server, shown nowhere.

    Args:
        key: the key, ``None`` where there is none.
    """

    def __init__(self, key: str | None) -> None:
        self._key = (key or "").strip()
        pattern = re.escape(self._key)
        self._pattern = re.compile(pattern if len(self._key) >= SHORT else rf"(?<!\w){pattern}(?!\w)")

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
        return data.replace(self._key.encode(), b"***") if len(self._key) >= SHORT else data

    def hide(self, text: str) -> str:
        """The text with ``***`` for the key."""
        return self._pattern.sub("***", text) if self._key else text
