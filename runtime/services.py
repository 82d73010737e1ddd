"""What a memory needs from outside: cache, token counter, embedder, helper, and the files that designs name."""

from __future__ import annotations

from dataclasses import dataclass, field

from designsearch.runtime.cache import Cache
from designsearch.runtime.embedder import Embedder
from designsearch.runtime.indexes.static_embeddings import StaticEmbedder
from designsearch.runtime.models.base import Model
from designsearch.runtime.named_files import NamedFiles
from designsearch.runtime.token_counter import BundledCounter, TokenCounter


@dataclass(frozen=True)
class Services:
    """Shared by every memory of a study, so that equal content is computed once."""

    cache: Cache = field(default_factory=Cache)
    counter: TokenCounter = field(default_factory=BundledCounter)
    embedder: Embedder = field(default_factory=StaticEmbedder)
    helper: Model | None = None
    """Works for operators marked LM; ``None`` where the study names no model for the role."""
    files: NamedFiles = field(default_factory=NamedFiles)

    @property
    def helper_key(self) -> str:
        """The helper's part of a cache key."""
        return self.helper.fingerprint if self.helper is not None else ""
