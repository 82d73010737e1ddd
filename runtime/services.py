"""What a memory needs from outside: the cache, the token counter, the embedder and the helper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.cache import Cache
from designsearch.runtime.indexes.static_embeddings import StaticEmbedder
from designsearch.runtime.models.base import Model
from designsearch.runtime.token_counter import BundledCounter, TokenCounter


class Embedder(Protocol):
    """Texts to vectors.

    Attributes:
        name: the name that designs and studies use.
        fingerprint: changes whenever the vectors do.
        dimensions: length of a vector.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def fingerprint(self) -> str: ...  # noqa: D102

    @property
    def dimensions(self) -> int: ...  # noqa: D102

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (texts, dimensions), unit length; a zero row for a text without content."""
        ...


@dataclass(frozen=True)
class Services:
    """Shared by every memory of a study, so that equal content is computed once."""

    cache: Cache = field(default_factory=Cache)
    counter: TokenCounter = field(default_factory=BundledCounter)
    embedder: Embedder = field(default_factory=StaticEmbedder)
    helper: Model | None = None
    """Works for operators marked LM; ``None`` where the study names no model for the role."""

    @property
    def helper_key(self) -> str:
        """The helper's part of a cache key."""
        return self.helper.fingerprint if self.helper is not None else ""
