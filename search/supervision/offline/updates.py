"""Questions about a value that was updated later: the newest counts."""

from __future__ import annotations

from designsearch.runtime.models.offline.words import words_of
from designsearch.search.supervision.offline.answers import answers_in
from designsearch.search.supervision.offline.lookups import mention
from designsearch.search.supervision.offline.phrases import Phrase, phrases_in
from designsearch.search.supervision.offline.sketch import Making, Sketch, Slot, planned
from designsearch.search.supervision.offline.surroundings import stems_in
from designsearch.search.supervision.plans import ANSWER, Operation

_MEASURED = ("money", "percent", "duration", "number", "time")
_SHARED = 2
"""Phrases that two records must have in common to be about one thing."""


def updated(making: Making) -> Sketch | None:
    """``When last speaking of A and B, how much money did I mention?``, where an earlier record says otherwise."""
    found = []
    for later in making.material.sources:
        for earlier in making.material.sources:
            if making.around.was_before(earlier.row, later.row):
                pair = _both(making, earlier.text, later.text)
                old = {one.kind: one for one in answers_in(earlier, making.around) if one.kind in _MEASURED}
                new = [
                    one
                    for one in answers_in(later, making.around)
                    if one.kind in old and one.value != old[one.kind].value
                ]
                found += [(later, asked, pair) for asked in new if pair]
    if not found:
        return None
    source, asked, phrases = making.chance.choice(found)
    own = tuple(one for one in phrases if asked.value.casefold() not in one.text.casefold())
    if len(own) < _SHARED:
        return None
    fact = mention("f1", making, source, own, asked)
    opening = asked.opening(making.around.asker.name(source))
    plan = planned(
        "updated",
        f"{opening} when last speaking of {fact.about}",
        (asked.type, asked.value),
        (fact,),
        Operation("lookup", (fact.id,), ANSWER, asked.value),
    )
    return Sketch(plan, ("when last speaking of ", f", {opening}?"), (Slot(source.row, own, fixed=True),))


def _both(making: Making, earlier: str, later: str) -> tuple[Phrase, ...]:
    """The later text's phrases whose words the earlier one holds, the most telling ones."""
    held = stems_in(earlier)
    shared = [one for one in phrases_in(later) if stems_in(one.text) and stems_in(one.text) <= held]
    different = list({tuple(words_of(one.text)): one for one in shared}.values())
    return tuple(sorted(different, key=lambda one: -making.around.rarity(one))[:3])
