"""Questions about two records: one found through the other, the days between them, which came first."""

from __future__ import annotations

from designsearch.search.supervision.contracts import Source
from designsearch.search.supervision.offline.answers import answers_in
from designsearch.search.supervision.offline.lookups import dated, mention
from designsearch.search.supervision.offline.phrases import Phrase
from designsearch.search.supervision.offline.sketch import Making, Sketch, Slot, planned
from designsearch.search.supervision.offline.surroundings import stems_in
from designsearch.search.supervision.offline.topics import topic, worded
from designsearch.search.supervision.plans import ANSWER, Operation
from designsearch.search.supervision.source_days import day_of

PHRASES = (2, 4)
"""Fewest and most phrases that tell each of the records from others."""


def bridge(making: Making) -> Sketch | None:
    """``After speaking of A and B, whom did I mention when talking about C and D?``."""
    telling = [one for one in making.material.sources if answers_in(one, making.around, careful=making.careful)]
    pair = _two(making, making.chance.choice(telling)) if telling else None
    if pair is None:
        return None
    source, other = pair
    asked = making.chance.choice(answers_in(source, making.around, careful=making.careful))
    topics = _topics(making, source, other, asked.value)
    earlier = making.around.was_before(other.row, source.row)
    if topics is None or earlier is None or not _connected(source, other):
        return None
    order = "after" if earlier else "before"
    facts = (dated("f1", making, other, topics[1]), mention("f2", making, source, topics[0], asked))
    opening = asked.opening(making.around.asker.name(source))
    plan = planned(
        "bridge",
        f"{opening} when talking about {facts[1].about}, {order} speaking of {facts[0].about}",
        (asked.type, asked.value),
        facts,
        Operation("bridge", ("f1", "f2"), ANSWER, asked.value),
    )
    value = asked.value.casefold()
    slots = (Slot(other.row, topics[1], value), Slot(source.row, topics[0], value))
    frame = (f"{order} speaking of ", f", {opening} when talking about ", "?")
    return Sketch(plan, frame, slots, day_of(source))


def between(making: Making) -> Sketch | None:
    """``How many days passed between my speaking of A and B and my speaking of C and D?``."""
    pair = _two(making, making.material.sources[0], apart=True)
    topics = _topics(making, *pair) if pair else None
    if pair is None or topics is None:
        return None
    source, other = pair
    facts = (dated("f1", making, source, topics[0]), dated("f2", making, other, topics[1]))
    apart = _days(source, other)
    days = f"{apart} day{'s' * (apart != 1)}"
    opening = "how many days passed between the day that"
    names = making.around.asker.name(source), making.around.asker.name(other)
    plan = planned(
        "between",
        f"{opening} {names[0]} spoke of {facts[0].about} and the day that {names[1]} spoke of {facts[1].about}",
        ("number", days),
        facts,
        Operation("difference", ("f1", "f2"), ANSWER, days),
    )
    frame = (f"{opening} {names[0]} spoke of ", f" and the day that {names[1]} spoke of ", "?")
    return Sketch(plan, frame, (Slot(source.row, topics[0]), Slot(other.row, topics[1])))


def order(making: Making) -> Sketch | None:
    """``Which did I speak of first: A and B, or C and D?``; the answer is one of them, in the question's words."""
    pair = _two(making, making.material.sources[0], apart=True)
    topics = _topics(making, *pair) if pair else None
    if pair is None or topics is None or len({making.around.asker.name(one) for one in pair}) > 1:
        return None
    told = [
        worded(making.around, Slot(source.row, phrases), making.manner, making.words)
        for source, phrases in zip(pair, topics, strict=True)
    ]
    if not all(told) or told[0] == told[1]:
        return None
    facts = tuple(
        dated(f"f{place}", making, source, phrases, about)
        for place, (source, phrases, about) in enumerate(zip(pair, topics, told, strict=True), start=1)
    )
    how = making.chance.choice(("first", "last"))
    wanted = min if how == "first" else max
    answer = told[[day_of(one) for one in pair].index(wanted(day for one in pair if (day := day_of(one))))]
    question = f"which did {making.around.asker.name(pair[0])} speak of {how}: {told[0]}, or {told[1]}?"
    operation = Operation("compare", ("f1", "f2"), ANSWER, answer, how)  # type: ignore[arg-type]
    plan = planned("order", question.rstrip("?"), ("text", answer), facts, operation)
    return Sketch(plan, (question,), ())


def _two(making: Making, source: Source, *, apart: bool = False) -> tuple[Source, Source] | None:
    """A source and another one, of different days where they must be ``apart``; ``None`` where there is none."""
    day = day_of(source)
    others = [one for one in making.material.sources if one is not source]
    fit = [one for one in others if not apart or (day and (other := day_of(one)) and other != day)]
    return (source, making.chance.choice(fit)) if fit else None


def _days(source: Source, other: Source) -> int:
    """Days between two sources of known days."""
    first, second = day_of(source), day_of(other)
    return abs((first - second).days) if first and second else 0


def _topics(
    making: Making, source: Source, other: Source, avoid: str = ""
) -> tuple[tuple[Phrase, ...], tuple[Phrase, ...]] | None:
    number = making.chance.randint(*PHRASES)
    first = topic(making.around, source, making.chance, number, avoid)
    second = topic(making.around, other, making.chance, number, avoid)
    return (first, second) if first and second else None


def _connected(source: Source, other: Source) -> bool:
    """Whether one record leads to the other: they share a word, or were written on one day."""
    return day_of(source) == day_of(other) or bool(stems_in(source.text) & stems_in(other.text))
