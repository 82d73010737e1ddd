"""Answers that are people or places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from designsearch.runtime.models.offline.dates import dates_in
from designsearch.runtime.models.offline.nearby import distance, nearby_spans, word_places
from designsearch.runtime.models.offline.phrase import best_phrase
from designsearch.runtime.models.offline.question import Asked
from designsearch.runtime.models.offline.support import Support
from designsearch.runtime.models.offline.words import FIRST_PERSON, stems_of, words_of

_KIN = re.compile(
    r"\b(?:my|his|her|their|our|a|an|the)\s+(?P<who>(?:[a-z]+\s+)?(?:mom|mum|mother|dad|father|parents|sisters?|brothers?"
    r"|siblings|aunt|uncle|cousins?|grandma|grandpa|grandmother|grandfather|son|daughter|kids?|children|wife|husband"
    r"|girlfriend|boyfriend|partner|friends?|family|boss|colleagues?|teammates?|neighbou?rs?|teacher|coach|doctor|mentor"
    r"|manager))\b"
)
_PLACE = re.compile(
    r"\b(?P<way>in|at|near|to|from|inside|outside|by|around|through|visit(?:ed|ing)?)\s+(?P<the>(?:the|an?|my|our|his|her"
    r"|their)\s+)?(?P<place>[^,.;:!?()\n—–]{2,60})"
)
_PLACE_END = re.compile(
    r"\s(?:and|but|so|with|for|when|where|while|because|which|that|last|this|yesterday|today|to|i|we|it|he|she|they|is|was"
    r"|are|were)\b",
    re.IGNORECASE,
)


def who(asked: Asked, close: Sequence[Support]) -> str:
    """Who did it or whom it is about.

    The author where the question asks for the doer and the author says ``I``; else a name that the question does not
    hold; else a relation (``mom``); else the author of the best sentence.
    """
    author = close[0].sentence.author
    if asked.doer and author and not FIRST_PERSON.isdisjoint(close[0].words):
        return author
    authors = {w for s in close for w in words_of(s.sentence.author)}
    for support in close:
        people = [
            n.text for n in nearby_spans([support], "name") if not set(words_of(n.text)) & (asked.names | authors)
        ]
        kin = _KIN.search(support.sentence.text)
        if people or kin:
            return ", ".join(dict.fromkeys(people[: 3 if asked.several else 1])) or (kin["who"] if kin else "")
    return author if author and not set(words_of(author)) & asked.names else best_phrase(close[0])


def where(_: Asked, close: Sequence[Support]) -> str:
    """What follows a preposition of place, a name before anything else, nearest to the question's words first."""
    others: list[str] = []
    for support in close:
        for match in _nearest_first(list(_PLACE.finditer(support.sentence.text)), support):
            place = _PLACE_END.split(match["place"])[0].strip()
            if place and _is_new(place, support):
                if place[0].isupper():
                    return place
                if match["the"]:
                    others.append(place)
    return others[0] if others else best_phrase(close[0])


def _nearest_first(matches: list[re.Match[str]], support: Support) -> list[re.Match[str]]:
    near = word_places(support)
    return sorted(matches, key=lambda m: distance(m.start(), near))


def _is_new(place: str, support: Support) -> bool:
    stems = set(stems_of(words_of(place)))
    return not stems <= support.matched | support.addressed and not dates_in(place, date(2000, 1, 1))
