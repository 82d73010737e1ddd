"""An embedder that keeps the vectors of texts it has seen, so that a memory that grows embeds only what is new."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.embedder import Embedder

FEW = 16
"""Fewer texts than this, such as a question, are cheaper to embed again than to keep for ever."""


class KeptVectors:
    """The vectors of another embedder, each text of a large batch embedded once.

    Args:
        inner: makes the vectors.
    """

    def __init__(self, inner: Embedder) -> None:
        self.name = inner.name
        self.fingerprint = inner.fingerprint
        self._inner = inner
        self._now: dict[str, NDArray[np.float32]] = {}
        self._before: dict[str, NDArray[np.float32]] = {}

    @property
    def dimensions(self) -> int:
        """Length of a vector; some embedders have to ask their model for it."""
        return self._inner.dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (texts, dimensions), as the inner embedder gives it."""
        if len(texts) < FEW:
            return self._inner.embed(texts)
        new = []
        for text in dict.fromkeys(texts):
            if text in self._now:
                continue
            if text in self._before:
                self._now[text] = self._before[text]
            else:
                new.append(text)
        self._now.update(zip(new, self._inner.embed(new), strict=True))
        return np.stack([self._now[text] for text in texts])

    def age(self) -> None:
        """Note that the texts have changed: what is not asked for before the next change is dropped then."""
        self._before, self._now = self._now, {}

    def drop_old(self) -> None:
        """Drop at once what was not asked for since the texts changed."""
        self._before = {}
