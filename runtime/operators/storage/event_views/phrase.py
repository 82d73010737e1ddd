"""An event in a phrase: who, when, and the words that tell most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from designsearch.runtime.indexes.static_embeddings import StaticEmbedder
from designsearch.runtime.models.offline.words import INTERJECTIONS, STOP, WORD, is_verb_form, stems_of, words_of
from designsearch.runtime.operators.storage.event_views.sentences import Read, Sentence, best_first

LONGEST = 4
"""Words of a phrase."""

_EMPTY = STOP | INTERJECTIONS | frozenset("today tomorrow tonight yesterday".split())

VOICES = 3
"""How many of those who speak are named."""


class Phrase(NamedTuple):
    """A phrase, and who was the first to say it."""

    text: str
    who: str


def key_phrases(read: Read, events: int, count: int, embedder: StaticEmbedder) -> list[list[Phrase]]:
    """The phrases of each event that are nearest to the mean of what it says, best first.

    A phrase is a run of words with content between function words, verbs and punctuation. As in KeyBERT (Grootendorst
    2020), by the cosine of embeddings; one that shares a word with a better one is left out.

    Args:
        read: the events, read.
        events: their number.
        count: the most phrases of an event.
        embedder: gives the vectors.
    """
    first: dict[tuple[int, str], str] = {}
    for sentence in read.sentences:
        for text in _runs(sentence):
            first.setdefault((sentence.event, text), sentence.who)
    found = list(first)
    owners = np.fromiter((event for event, _ in found), np.int64, len(found))
    vectors = embedder.embed([text for _, text in found])
    order, _ = best_first(owners, np.einsum("ij,ij->i", vectors, read.centers[owners]).astype(np.float64))
    made: list[list[Phrase]] = [[] for _ in range(events)]
    used: list[set[str]] = [set() for _ in range(events)]
    for event, text in (found[i] for i in order.tolist()):
        if len(made[event]) < count:
            stems = set(stems_of(words_of(text)))
            if not stems & used[event]:
                made[event].append(Phrase(text, first[event, text]))
                used[event] |= stems
    return made


def labels(read: Read, phrases: Sequence[Sequence[Phrase]]) -> list[str]:
    """One line an event, as in ``Ana, Ben, 2023-05-08: red kayak; river trip``."""
    voices: list[Counter[str]] = [Counter() for _ in phrases]
    days = [""] * len(phrases)
    for s in read.sentences:
        voices[s.event][s.who] += 1
        days[s.event] = days[s.event] or (s.day.isoformat() if s.day else "")
    made = []
    for own, day, said in zip(voices, days, phrases, strict=True):
        head = ", ".join([*(who for who, _ in own.most_common(VOICES) if who), *filter(None, [day])])
        made.append(": ".join(filter(None, [head, "; ".join(phrase.text for phrase in said)])))
    return made


def _runs(sentence: Sentence) -> Iterator[str]:
    text, spoken = sentence.text, {*words_of(sentence.who), *words_of(sentence.other)}
    begin, end, size = 0, 0, 0
    for match in WORD.finditer(text):
        plain = match[0].lower().replace("’", "'").removesuffix("'s")
        carries = not (plain.partition("'")[0] in _EMPTY or plain in spoken or is_verb_form(plain))
        if size and (not carries or size == LONGEST or text[end : match.start()] not in ("", " ", "-")):
            yield text[begin:end]
            size = 0
        if carries:
            begin, end, size = match.start() if not size else begin, match.end(), size + 1
    if size:
        yield text[begin:end]
