"""Questions that the history leaves open: what was never said together."""

from __future__ import annotations

from designsearch.search.supervision.offline.sketch import Making, Sketch, Slot
from designsearch.search.supervision.offline.surroundings import stems_in
from designsearch.search.supervision.offline.topics import topic
from designsearch.search.supervision.plans import Plan


def unanswerable(making: Making) -> Sketch | None:
    """``On which date did I speak of A and B together with C and D?``, where no record speaks of both."""
    source, *others = making.material.sources
    if not others:
        return None
    other = making.chance.choice(others)
    first = topic(making.around, source, making.chance, 2)
    second = topic(making.around, other, making.chance, 2)
    if first is None or second is None or making.around.asker.name(source) != making.around.asker.name(other):
        return None
    for one in first:
        for two in second:
            if _together(making, one.text, two.text):
                return None
    opening = f"on which date did {making.around.asker.name(source)} speak of"
    about = " and ".join(one.text for one in first), " and ".join(one.text for one in second)
    plan = Plan(f"{opening} {about[0]} together with {about[1]}", "date", None, kind="unanswerable", answerable=False)
    slots = (Slot(source.row, first, fixed=True), Slot(other.row, second, fixed=True))
    return Sketch(plan, (f"{opening} ", " together with ", "?"), slots)


def _together(making: Making, one: str, two: str) -> bool:
    """Whether some allowed record holds the words of both."""
    rows: set[int] | None = None
    for stem in stems_in(f"{one} {two}"):
        holding = set(making.around.holding(stem))
        rows = holding if rows is None else rows & holding
    return bool(rows)
