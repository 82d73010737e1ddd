r"""How long a text of blocks is: the length of each block, counted once, instead of the text again and again.

A *block* is one item, title, header or footer. Blocks are joined by a separator. With a counter that splits at line
breaks and a separator that begins with one, the length of a text is that of its first block plus what each further
block adds after another one; other counters are asked about whole texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from designsearch.runtime.records import IntArray
from designsearch.runtime.token_counter import TokenCounter

SLACK = 8
"""Tokens by which two blocks' lengths may differ beside the separator's, for the way that they begin."""

REMEMBERED = 1 << 16
"""Blocks whose lengths are kept one by one."""


class BlockLengths:
    """Lengths of blocks that one separator joins.

    Attributes:
        separator: what stands between two blocks.
        additive: whether the lengths of blocks add up to that of the text.
    """

    def __init__(self, counter: TokenCounter, separator: str) -> None:
        self.separator = separator
        self.additive = counter.splits_at_newline and separator.startswith("\n")
        self._counter = counter
        self._joint = separator if self.additive else ""
        self._base = int(counter.count_all(["\n"])[0]) - 1 if self.additive else 0
        own, joint, both = counter.count_all(["a", separator, f"a{separator}a"]).tolist()
        self.miscount = 0 if self.additive else abs(2 * own + joint - both)
        """By how many tokens the sum of two blocks and the separator misses the length of their text."""
        self.joint = int(joint)
        """Tokens of the separator by itself."""
        self._joined: dict[str, int] = {}
        self.slack = SLACK + self.joint
        """By how many tokens a block may differ at the beginning of a text from what it adds after another one."""
        self._alone: dict[str, int] = {}

    def added(self, blocks: Sequence[str]) -> IntArray:
        """Tokens that each block adds after another one, its separator included, shape (blocks,); 0 for an empty one.

        Where lengths do not add up this is the block's own length.
        """
        filled = [block for block in blocks if block]
        counts = np.zeros(len(blocks), np.int64)
        if filled:
            where = np.fromiter((bool(block) for block in blocks), bool, len(blocks))
            counts[where] = self._counter.count_all([self._joint + block for block in filled]) - self._base
        return counts

    def joined(self, block: str) -> int:
        """Tokens that one block adds after another one; see ``added``."""
        return self._remember(self._joined, block, lambda: int(self.added([block])[0]))

    def alone(self, block: str) -> int:
        """Tokens of one block by itself."""
        return self._remember(self._alone, block, lambda: self.count(block))

    def count(self, text: str) -> int:
        """Tokens of a whole text."""
        return int(self._counter.count_all([text])[0])

    @staticmethod
    def _remember(known: dict[str, int], text: str, count: Callable[[], int]) -> int:
        if text not in known:
            if len(known) >= REMEMBERED:
                known.clear()
            known[text] = count()
        return known[text]
