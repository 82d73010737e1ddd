"""How the length of a context is measured: the study's counter, by default the bundled tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from designsearch.runtime.indexes.static_embeddings import token_ids, tokenizer, well_formed
from designsearch.runtime.records import IntArray


class TokenCounter(Protocol):
    r"""Counts tokens.

    Attributes:
        name: what it is, for reports and fingerprints.
        splits_at_newline: True where a line break is a token of its own: for every non-empty ``a``,
            ``count(a + "\n" + b) == count(a) + count("\n" + b) - count("\n") + 1``, so that a text built line by
            line can be counted piece by piece.
    """

    name: str
    splits_at_newline: bool

    def count_all(self, texts: Sequence[str]) -> IntArray:
        """Tokens of each text, shape (texts,)."""
        ...

    def at_least(self, text: str) -> int:
        """A number of tokens that the text surely has, found without counting; 0 where nothing is known."""
        ...

    def truncate(self, text: str, limit: int) -> str:
        """The longest prefix, cut at a token, of at most ``limit`` tokens."""
        ...


class BundledCounter:
    """The Llama 2 tokenizer that ships with the bundled embeddings: no special tokens, no padding.

    It never merges across a line break (which is one token of its own), hence ``splits_at_newline``.
    """

    name = "llama-2-32k"
    splits_at_newline = True
    longest = 16
    """The most characters that one token stands for."""

    def count_all(self, texts: Sequence[str]) -> IntArray:
        """Tokens of each text, shape (texts,)."""
        return np.fromiter((len(ids) for ids in token_ids(texts)), np.int64, len(texts))

    def at_least(self, text: str) -> int:
        """The number of its words, or of its characters by 16: no token spans two words or more characters."""
        return max(len(text.split()), len(text) // self.longest)

    def truncate(self, text: str, limit: int) -> str:
        """The longest prefix, cut at a token, of at most ``limit`` tokens."""
        safe = well_formed(text)
        offsets = tokenizer().encode(safe, add_special_tokens=False).offsets
        if len(offsets) <= limit:
            return text
        end = offsets[limit - 1][1] if limit > 0 else 0
        # a character spelled in bytes ends several tokens at once, so the cut is checked and moved left until it fits
        while end and len(token_ids([safe[:end]])[0]) > limit:
            end -= 1
        # a replaced character takes one place, as the one that it stands for
        return text[:end]
