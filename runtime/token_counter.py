"""How the length of a context is measured: the study's counter, by default the bundled tokenizer."""

from __future__ import annotations

import re
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


SPACE = "▁"
"""What the tokenizer makes of a space, and puts before a text."""

BATCH = 2048
"""Texts whose words are looked up together."""

MOST_KNOWN = 2_000_000
"""Words whose lengths are remembered; then all are forgotten."""

_WORD = re.compile(f"{SPACE}+[^{SPACE}]*")


def _words(text: str) -> list[str]:
    """The words of a text as the tokenizer sees them, each with the spaces before it; none for an empty text."""
    if not text:
        return []
    safe = text if text.isascii() else well_formed(text)
    found: list[str] = _WORD.findall(SPACE + safe.replace(" ", SPACE))
    return found


class BundledCounter:
    """The Llama 2 tokenizer that ships with the bundled embeddings: no special tokens, no padding.

    It never merges across a line break (which is one token of its own), hence ``splits_at_newline``.
    """

    name = "llama-2-32k"
    splits_at_newline = True
    longest = 16
    """The most characters that one token stands for."""

    def __init__(self) -> None:
        # by hash and not by word: a counter that outlives a memory must not hold what was forgotten
        self._known: dict[int, int] = {}

    def __reduce__(self) -> tuple[type[BundledCounter], tuple[()]]:
        """A copy in another process knows nothing: strings hash differently there."""
        return BundledCounter, ()

    def count_all(self, texts: Sequence[str]) -> IntArray:
        """Tokens of each text, shape (texts,).

        No piece of the vocabulary holds a space after another character, so a text has the tokens of its words, each
        with the spaces before it, and each distinct word is tokenised once.
        """
        counts = [self._count_batch(texts[i : i + BATCH]) for i in range(0, len(texts), BATCH)]
        return np.array([count for batch in counts for count in batch], np.int64)

    def _count_batch(self, texts: Sequence[str]) -> list[int]:
        spaced = [_words(text) for text in texts]
        hashed = [[hash(word) for word in words] for words in spaced]
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
        known = self._known
        new = {
            h: w
            for words, hashes in zip(spaced, hashed, strict=True)
            for w, h in zip(words, hashes, strict=True)
            if h not in known
        }
        sizes = (len(ids) for ids in token_ids([word[1:] for word in new.values()]))
        # the tokenizer puts one space before a text, but nothing before nothing
        known.update((h, size if word != SPACE else 1) for (h, word), size in zip(new.items(), sizes, strict=True))
        return [sum([known[h] for h in hashes]) for hashes in hashed]

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
