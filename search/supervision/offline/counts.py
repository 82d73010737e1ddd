"""Questions about all records that speak of one thing: on how many occasions."""

from __future__ import annotations

from collections.abc import Iterable

from designsearch.runtime.models.offline.words import STOP, stems_of
from designsearch.search.supervision.contracts import Source
from designsearch.search.supervision.offline.phrases import Phrase, phrases_in
from designsearch.search.supervision.offline.sketch import Making, Sketch, Slot, cited, planned
from designsearch.search.supervision.plans import ANSWER, Fact, Operation

MOST = 6
"""Records that are counted, at most."""


def count(making: Making) -> Sketch | None:
    """``On how many occasions did I speak of A?``, where the bundle holds every record that does."""
    shown = {one.row: one for one in making.material.sources}
    found = [
        (phrase, [shown[row] for row in rows])
        for phrase, rows in _counted(making)
        if 2 <= len(rows) <= MOST and all(row in shown for row in rows)
    ]
    asker = making.around.asker
    found = [(phrase, rows) for phrase, rows in found if len({asker.name(one) for one in rows}) == 1]
    if not found:
        return None
    phrase, sources = making.chance.choice(found)
    facts = tuple(_fact(f"f{i}", making, source, phrase) for i, source in enumerate(sources, start=1))
    if not all(fact.citations for fact in facts):
        return None
    question = f"on how many occasions did {asker.name(sources[0])} speak of"
    answer = str(len(sources))
    operation = Operation("count", tuple(fact.id for fact in facts), ANSWER, answer)
    plan = planned("count", f"{question} {phrase.text}", ("number", answer), facts, operation)
    return Sketch(plan, f"{question} {{0}}?", (Slot(sources[0].row, (phrase,), fixed=True),))


def _counted(making: Making) -> Iterable[tuple[Phrase, list[int]]]:
    """One-word phrases and names of the seed, with the allowed rows of the whole history that hold all their words."""
    for phrase in phrases_in(making.material.sources[0].text):
        for words in {(phrase.words[-1],), phrase.words if phrase.words[0][0].isupper() else (phrase.words[-1],)}:
            if len(words[0]) < 4 or words[0].casefold() in STOP:
                continue
            stems = stems_of([word.casefold() for word in words])
            rows = set(making.around.holding(stems[0]))
            for stem in stems[1:]:
                rows &= set(making.around.holding(stem))
            yield Phrase(words, phrase.start, phrase.end, phrase.sentence), sorted(rows)


def _fact(name: str, making: Making, source: Source, phrase: Phrase) -> Fact:
    stems = set(stems_of([word.casefold() for word in phrase.words]))
    holding = tuple(
        one for one in phrases_in(source.text) if stems & set(stems_of([word.casefold() for word in one.words]))
    )
    statement = f"{making.around.asker.name(source)} spoke of {phrase.text}" + (
        f" ({source.time})" if source.time else ""
    )
    return Fact(name, statement, cited(source, holding[:1]), None, f"{phrase.text} {name}")
