"""What a record is about, in a few telling phrases of its own or of what answered it, in these or other words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile
from random import Random

from designsearch.search.supervision.contracts import Source
from designsearch.search.supervision.offline.manner import Manner
from designsearch.search.supervision.offline.phrases import Phrase, phrases_in
from designsearch.search.supervision.offline.sketch import Slot, listed
from designsearch.search.supervision.offline.surroundings import Surroundings, stems_in

FEWEST_WORDS = 3
"""Words that are left of a record's topic."""

_NOISE = 0.5
"""By how much chance may raise a phrase above more telling ones."""


def topic(
    around: Surroundings, source: Source, chance: Random, number: int, avoid: str = ""
) -> tuple[Phrase, ...] | None:
    """Telling phrases of a record, in order of place.

    Args:
        around: the history.
        source: the record.
        chance: varies the choice.
        number: phrases wanted.
        avoid: words that no phrase may hold.

    Returns:
        ``None`` where there are not at least two.
    """
    speaks = around.asker.is_speaker
    free = [one for one in phrases_in(source.text) if not _holds(one, avoid) and not speaks(one.text, source.author)]
    different = list({one.text.casefold(): one for one in free}.values())
    ranked = sorted(different, key=lambda one: -(around.rarity(one) + _NOISE * chance.random()))
    chosen = sorted(_apart(ranked, number), key=lambda one: one.start)
    return tuple(chosen) if len(chosen) > 1 else None


def _apart(ranked: Sequence[Phrase], number: int) -> list[Phrase]:
    """The first phrases that have a word which those before them have not, and all of whose words none of these has."""
    chosen: list[Phrase] = []
    for phrase in ranked:
        own = stems_in(phrase.text)
        if own and not any(own <= (other := stems_in(one.text)) or other <= own for one in chosen):
            chosen.append(phrase)
        if len(chosen) == number:
            break
    return chosen


def worded(around: Surroundings, slot: Slot, manner: Manner, chance: Random) -> str:
    """The words that fill a slot; empty where nothing is left of it."""
    if slot.fixed:
        return listed([one.text for one in slot.phrases])
    phrases: Sequence[Phrase] = slot.phrases
    if manner.echoes:
        heard = [one for one in around.echo(slot.row) if not around.asker.is_speaker(one.text, "")]
        pool = [*phrases, *(one for one in heard if not _holds(one, slot.avoid))]
        ranked = sorted(pool, key=lambda one: -(around.rarity(one) + _NOISE * chance.random()))
        phrases = ranked[: len(slot.phrases)]
    said = [text for one in phrases if (text := _reworded(around, one, manner, chance))]
    said = [text for text in _different(said) if not slot.avoid or slot.avoid not in text.casefold()]
    return listed(said) if _tells(said) else ""


def _different(said: Sequence[str]) -> list[str]:
    """What is said, without what others of it say too."""
    words = [set(text.casefold().split()) for text in said]
    return [
        text
        for place, text in enumerate(said)
        if not any(words[place] < other or (words[place] == other and at < place) for at, other in enumerate(words))
    ]


def _tells(said: Sequence[str]) -> bool:
    """Whether what is left still tells one record from others: two phrases, with three words together."""
    return len(said) > 1 and sum(len(text.split()) for text in said) >= FEWEST_WORDS


def _reworded(around: Surroundings, phrase: Phrase, manner: Manner, chance: Random) -> str:
    said = [word for one in phrase.words if (word := _other(around, one, manner, chance))]
    return " ".join(dropwhile(lambda word: word[0].isdigit(), said))  # what it counts may be lost


def _other(around: Surroundings, word: str, manner: Manner, chance: Random) -> str:
    """The word, one that stands for it, or nothing."""
    if word[0].isupper():
        return word if chance.random() < manner.names else ""
    lowered = word.casefold()
    if chance.random() >= manner.other:
        return lowered
    near = around.near.near(lowered)
    if near:
        return chance.choice(near)
    return "" if chance.random() < manner.lost else lowered


def _holds(phrase: Phrase, avoid: str) -> bool:
    """Whether a phrase shares a word with what must not be said."""
    words = set(avoid.casefold().split())
    return any(word.casefold() in words for word in phrase.words)
