"""Questions in the manner of corpus test-set generators: a word that two records share, and what one says of it."""

from __future__ import annotations

from designsearch.search.supervision.offline.answers import answers_in
from designsearch.search.supervision.offline.lookups import dated, mention, when
from designsearch.search.supervision.offline.phrases import Phrase, phrases_in
from designsearch.search.supervision.offline.sketch import Making, Sketch, Slot, planned
from designsearch.search.supervision.offline.surroundings import stems_in
from designsearch.search.supervision.plans import ANSWER, Operation
from designsearch.search.supervision.source_days import day_of


def theme(making: Making) -> Sketch | None:
    """``Whom did I mention in connection with A, also spoken of together with B?``; of one record alone, when."""
    source, *others = making.material.sources
    found = answers_in(source, making.around, careful=making.careful)
    for other in others:
        shared = _shared(making, source.text, other.text)
        beside = _beside(making, other.text, shared)
        if found and shared and beside:
            asked = making.chance.choice(found)
            if asked.value.casefold() in f"{shared.text} {beside.text}".casefold():
                continue
            facts = (dated("f1", making, other, (beside,)), mention("f2", making, source, (shared,), asked))
            opening = asked.opening(making.around.asker.name(source))
            plan = planned(
                "theme",
                f"{opening} in connection with {shared.text}, also spoken of with {beside.text}",
                (asked.type, asked.value),
                facts,
                Operation("bridge", ("f1", "f2"), ANSWER, asked.value),
            )
            slots = (Slot(source.row, (shared,), fixed=True), Slot(other.row, (beside,), fixed=True))
            frame = (f"{opening} in connection with ", ", also spoken of together with ", "?")
            return Sketch(plan, frame, slots, day_of(source))
    return when(making)


def _shared(making: Making, text: str, other: str) -> Phrase | None:
    """The most telling phrase of a text whose words the other text holds."""
    held = stems_in(other)
    shared = [one for one in phrases_in(text) if stems_in(one.text) and stems_in(one.text) <= held]
    return max(shared, key=making.around.rarity, default=None)


def _beside(making: Making, text: str, shared: Phrase | None) -> Phrase | None:
    """The most telling phrase of a text that has no word of the theme."""
    own = stems_in(shared.text) if shared else frozenset()
    return max(
        (one for one in phrases_in(text) if not stems_in(one.text) & own), key=making.around.rarity, default=None
    )
