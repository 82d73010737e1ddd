"""Questions about one record: something that it names, or the day on which it was written."""

from __future__ import annotations

from designsearch.search.supervision.contracts import Source
from designsearch.search.supervision.offline.answers import Asked, answers_in
from designsearch.search.supervision.offline.phrases import Phrase
from designsearch.search.supervision.offline.sketch import Making, Sketch, Slot, cited, listed, planned
from designsearch.search.supervision.offline.topics import topic
from designsearch.search.supervision.plans import ANSWER, Fact, Operation
from designsearch.search.supervision.source_days import day_of

PHRASES = (3, 6)
"""Fewest and most phrases that tell a record from others."""


def lookup(making: Making) -> Sketch | None:
    """``Whom did I mention when talking about A, B and C?``."""
    source = making.material.sources[0]
    found = answers_in(source, making.around, careful=making.careful)
    if not found:
        return None
    asked = making.chance.choice(found)
    phrases = topic(making.around, source, making.chance, making.chance.randint(*PHRASES), avoid=asked.value)
    if phrases is None:
        return None
    who = making.around.asker.name(source)
    fact = mention("f1", making, source, phrases, asked)
    opening = asked.opening(who)
    relation = making.chance.choice(("when talking about", "in connection with", "together with", "while speaking of"))
    plan = planned(
        f"lookup_{asked.kind}",
        f"{opening} {relation} {fact.about}",
        (asked.type, asked.value),
        (fact,),
        Operation("lookup", (fact.id,), ANSWER, asked.value),
    )
    slot = Slot(source.row, phrases, asked.value.casefold())
    return Sketch(plan, (f"{opening} {relation} ", "?"), (slot,), day_of(source))


def when(making: Making) -> Sketch | None:
    """``On which date did I speak of A, B and C?``."""
    source = making.material.sources[0]
    day = day_of(source)
    phrases = topic(making.around, source, making.chance, making.chance.randint(*PHRASES))
    if day is None or phrases is None:
        return None
    fact = dated("f1", making, source, phrases)
    opening = f"on which date did {making.around.asker.name(source)} speak of"
    operation = Operation("lookup", (fact.id,), ANSWER, day.isoformat())
    plan = planned("when", f"{opening} {fact.about}", ("date", day.isoformat()), (fact,), operation)
    return Sketch(plan, (f"{opening} ", "?"), (Slot(source.row, phrases),))


def mention(name: str, making: Making, source: Source, phrases: tuple[Phrase, ...], asked: Asked) -> Fact:
    """The fact that a record mentions a value together with its topic."""
    about = listed([one.text for one in phrases])
    who = making.around.asker.name(source)
    statement = f"{who} mentioned {asked.value} when speaking of {about}"
    return Fact(name, statement, cited(source, phrases, asked.span), asked.value, about)


def dated(name: str, making: Making, source: Source, phrases: tuple[Phrase, ...], about: str = "") -> Fact:
    """The fact that something was spoken of on the day of its record."""
    day = day_of(source)
    said = listed([one.text for one in phrases])
    statement = f"{making.around.asker.name(source)} spoke of {said}" + (f" on {day}" if day else "")
    return Fact(name, statement, cited(source, phrases), day.isoformat() if day else None, about or said)
