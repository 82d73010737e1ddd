"""How the chosen units of one section stand in a context: in which order, in which groups, with what around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from designsearch.dsl.design import Order, Section
from designsearch.runtime.context_items import ItemTable

LAST = (1 << 63) - 1
"""The time of a unit without one, where units stand in order of time."""


@dataclass(slots=True)
class Entry:
    """A unit that was chosen.

    Attributes:
        unit: global id.
        rank: 1-based rank in the final ranking.
        score: its final score.
        item: how it is shown.
        group: code of its group.
        time: local wall-clock seconds, ``LAST`` where unknown.
    """

    unit: int
    rank: int
    score: float
    item: str
    group: int
    time: int


@dataclass(slots=True)
class Part:
    """One section while it is filled.

    Attributes:
        section: the section.
        table: its items and titles.
        header, footer: their texts for this question.
        allowance: the most that ``used`` may become; ``None`` where only the whole context is limited.
        entries: the units chosen so far, in ranking order.
        titles: of the groups that are open.
        used: what all blocks add to a text, each joined to one before it.
        lead: the entry that is shown first.
    """

    section: Section
    table: ItemTable
    header: str
    footer: str
    allowance: int | None = None
    entries: list[Entry] = field(default_factory=list)
    titles: dict[int, str] = field(default_factory=dict)
    used: int = 0
    lead: Entry | None = None

    @property
    def is_full(self) -> bool:
        """Whether it holds as many units as it may."""
        most = self.section.max_units
        return most is not None and len(self.entries) >= most

    def leads(self, time: int) -> bool:
        """Whether a unit of that time, chosen now, would be shown first."""
        return self.lead is None or (self.section.order == "chronological" and time < self.lead.time)

    def first_block(self) -> str:
        """The block that stands first."""
        if self.lead is None:
            return ""
        return self.header or self.titles[self.lead.group] or self.lead.item

    def add(self, entry: Entry, title: str, cost: int) -> None:
        """Choose a unit; ``title`` is that of its group, ``cost`` what it adds."""
        if self.leads(entry.time):
            self.lead = entry
        self.titles.setdefault(entry.group, title)
        self.entries.append(entry)
        self.used += cost

    def drop_last(self, cost: int, lead: Entry | None) -> None:
        """Take the last choice back; ``lead`` stood first before it."""
        entry = self.entries.pop()
        self.used -= cost
        self.lead = lead
        if all(other.group != entry.group for other in self.entries):
            del self.titles[entry.group]

    def clear(self) -> None:
        """Choose nothing."""
        self.entries, self.titles, self.used, self.lead = [], {}, 0, None

    def shown(self) -> list[Entry]:
        """The entries in the order shown: arranged, then group after group."""
        ordered = arranged(self.section.order, self.entries)
        if self.section.group_by is None:
            return ordered
        groups: dict[int, list[Entry]] = {}
        for entry in ordered:
            groups.setdefault(entry.group, []).append(entry)
        return [entry for own in groups.values() for entry in own]

    def blocks(self) -> list[str]:
        """Header, groups with their titles and items, footer; empty blocks and an empty section left out."""
        if not self.entries:
            return []
        blocks, group = [self.header], None
        for entry in self.shown():
            if entry.group != group:
                group = entry.group
                blocks.append(self.titles[group])
            blocks.append(entry.item)
        blocks.append(self.footer)
        return [block for block in blocks if block]


def arranged(order: Order, entries: Sequence[Entry]) -> list[Entry]:
    """Entries, given in ranking order, in the order in which they are shown.

    ``relevance`` keeps them; ``chronological`` sorts by time, units without one last; ``edges`` puts the best at both
    ends: the 1st, 3rd, 5th, ... then ..., 6th, 4th, 2nd (Liu et al. 2024, "Lost in the middle").
    """
    if order == "chronological":
        return sorted(entries, key=attrgetter("time"))
    if order == "edges":
        return [*entries[::2], *entries[1::2][::-1]]
    return list(entries)
