"""Whether a context with one more unit still fits: exactly, and mostly without counting its text again.

Where lengths of blocks add up (``context_lengths.py``) they are summed. With any other counter the whole text is
counted wherever the sum of its parts leaves a doubt.
"""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.runtime.context_layout import Part

DOUBT = 24
"""Tokens by which a text and the sum of its parts may differ for each unit that joined, where lengths do not add up."""

PIECES = 4
"""Blocks, and as many separators, that come with a unit at most: its item, a title, a header and a footer."""

EVERYTHING = 1 << 62
"""Room for any item."""

Between = tuple[int, int] | None


class Filling:
    """The parts of one context while they are filled, one after another.

    Args:
        parts: the sections.
        top: what stands before all sections.
        bottom: what stands after them.
        budget: the most tokens of the whole text.

    Attributes:
        around: what ``top`` and ``bottom`` add.
        additive: whether lengths of blocks add up.
        between: where they do not, the least and the most tokens that the text may have; ``None`` without a unit.
    """

    def __init__(self, parts: Sequence[Part], top: str, bottom: str, budget: int) -> None:
        self._parts = parts
        self._top, self._bottom = top, bottom
        self._budget = budget
        self._outer = parts[0].table.lengths
        self.additive = all(part.table.lengths.additive for part in parts)
        self._ends = self._outer.joined(bottom)
        self.around = self._outer.joined(top) + self._ends
        self._doubt = DOUBT + PIECES * max(part.table.lengths.miscount for part in parts)
        # tokens of the text as far as it is settled
        self._before = self._outer.alone(top) if top else 0
        self.between: Between = None

    def settle(self, part: Part) -> None:
        """Note that a part has all its units."""
        if self.additive:
            self._before = self._up_to(part)

    def believe_counts_only(self, started: Between) -> None:
        """Go back to where a part was empty; from here on nothing but counts of the whole text is believed."""
        self.between, self._doubt = started, EVERYTHING

    def keeps(self, part: Part) -> bool:
        """Whether the whole text keeps to the budget, ``part`` being the last that shows something; exact."""
        if not part.entries:
            return True
        count = self._up_to(part) + self._ends if self.additive else self._outer.count(self.text())
        return count <= self._budget

    def accepts(self, part: Part, cost: int, blocks: int) -> bool:
        """Whether a unit that was just added to a part may stay.

        Args:
            part: the part, the unit included.
            cost: the sum of the lengths of all blocks that came with the unit.
            blocks: how many came at most; each may have brought a separator.
        """
        if part.allowance is not None and part.used > part.allowance:
            return False
        if self.additive:
            return self.keeps(part)
        least, most = (0, EVERYTHING) if self.between is None else self.between
        low, high = self._growth(part, cost, blocks)
        if least + low > self._budget:
            return False
        if most + high <= self._budget:
            self.between = least + low, most + high
            return True
        count = self._outer.count(self.text())
        if count <= self._budget:
            self.between = count, count
        elif self.between is not None:
            self.between = max(least, count - high), min(most, count - low)
        return count <= self._budget

    def _growth(self, part: Part, cost: int, blocks: int) -> tuple[int, int]:
        """The least and the most by which a text grows with blocks of that length, whatever stands between them.

        Where a section's lengths hold its separator, its first block may be joined by another one, or by none.
        """
        joints = blocks * max(part.table.lengths.joint, self._outer.joint)
        held = joints if part.table.lengths.additive else 0
        return cost - held - self._doubt, cost + joints + self._doubt

    def room(self, part: Part) -> int:
        """How much ``part.used`` may grow as long as the same block stands first."""
        total = self._budget - self._ends - self._up_to(part)
        return total if part.allowance is None else min(total, part.allowance - part.used)

    def slack(self, part: Part) -> int:
        """By how many tokens another first block may change that."""
        return max(part.table.lengths.slack, self._outer.slack)

    def _up_to(self, part: Part) -> int:
        """Tokens of the text up to the end of a part."""
        block = part.first_block()
        if not block:
            return self._before
        first = self._outer.joined(block) if self._before else self._outer.alone(block)
        return self._before + part.used + first - part.table.lengths.joined(block)

    def tokens(self) -> int:
        """Tokens of the final text."""
        if not any(part.entries for part in self._parts):
            return 0
        return self._before + self._ends if self.additive else self._outer.count(self.text())

    def text(self) -> str:
        """The whole text; empty where no unit was chosen."""
        filled = [part.section.separator.join(part.blocks()) for part in self._parts if part.entries]
        if not filled:
            return ""
        return self._outer.separator.join(block for block in (self._top, *filled, self._bottom) if block)
