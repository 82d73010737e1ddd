"""Texts that say nearly the same: exact Jaccard similarity over sets of words, without comparing all pairs."""

from __future__ import annotations

from collections.abc import Sequence


def near_duplicates(texts: Sequence[str], threshold: float) -> list[tuple[int, int, float]]:
    """All pairs of texts whose words agree to at least the threshold, as ``(i, j, similarity)`` with ``i < j``."""
    raise NotImplementedError


class Seen:
    """Texts that came by before, each under the number of its arrival.

    Args:
        threshold: the least similarity that counts, above 0 and at most 1.
    """

    def __init__(self, threshold: float) -> None:
        raise NotImplementedError

    def closest(self, text: str) -> tuple[int, float] | None:
        """The most similar text at or above the threshold, and how similar; the earliest of equals."""
        raise NotImplementedError

    def add(self, text: str) -> int:
        """Remember a text; its number."""
        raise NotImplementedError
