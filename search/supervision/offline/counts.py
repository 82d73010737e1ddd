"""Questions about all records that speak of one thing: on how many occasions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from designsearch.runtime.models.offline.words import STOP, is_verb_form, stems_of
from designsearch.search.supervision.contracts import Source
from designsearch.search.supervision.offline.function_words import is_common_verb
from designsearch.search.supervision.offline.moments import month_of, said
from designsearch.search.supervision.offline.phrases import Phrase, phrases_in
from designsearch.search.supervision.offline.sketch import Making, Sketch, Slot, cited, planned
from designsearch.search.supervision.plans import ANSWER, Fact, Operation

MOST = 6
"""Records that are counted, at most."""
_DESCRIBING = tuple("ful ous ive able ible less ing ic ical ish ary ward wards".split())


def count(making: Making) -> Sketch | None:
    """``On how many occasions did I speak of A?``, where the bundle holds every record that does.

    Where it does not, but holds all those of a month or a day, the question names that time. Of what can be counted,
    that is which needs the widest time: a narrow one tells more than the words do.
    """
    shown = {one.row: one for one in making.material.sources}
    asker = making.around.asker
    found: list[tuple[int, Phrase, list[Source], str]] = []
    for phrase, rows in _counted(making):
        for narrow, within, own in _periods(making.around.days, rows, [row for row in rows if row in shown]):
            if 2 <= len(own) <= MOST and len({asker.name(shown[row]) for row in own}) == 1:
                found.append((narrow, phrase, [shown[row] for row in own], within))
                break
    if not found:
        return None
    widest = min(narrow for narrow, *_ in found)
    _, phrase, sources, within = making.chance.choice([one for one in found if one[0] == widest])
    facts = tuple(_fact(f"f{i}", making, source, phrase) for i, source in enumerate(sources, start=1))
    if not all(fact.citations for fact in facts):
        return None
    question = f"on how many occasions{within} did {asker.name(sources[0])} speak of"
    answer = str(len(sources))
    operation = Operation("count", tuple(fact.id for fact in facts), ANSWER, answer)
    plan = planned("count", f"{question} {phrase.text}", ("number", answer), facts, operation)
    return Sketch(plan, (f"{question} ", "?"), (Slot(sources[0].row, (phrase,), fixed=True),))


def _counted(making: Making) -> Iterable[tuple[Phrase, list[int]]]:
    """Single words and whole names of the seed, with the allowed rows of the history that hold all their words."""
    source, speaks = making.material.sources[0], making.around.asker.is_speaker
    for phrase in phrases_in(source.text):
        for words in dict.fromkeys([(phrase.words[-1],), *([phrase.words] if phrase.words[0][0].isupper() else [])]):
            if not _is_thing(words[-1]) or speaks(words[-1], source.author):
                continue
            stems = stems_of([word.casefold() for word in words])
            rows = set(making.around.holding(stems[0]))
            for stem in stems[1:]:
                rows &= set(making.around.holding(stem))
            yield Phrase(words, phrase.start, phrase.end, phrase.sentence), sorted(rows)


def _is_thing(word: str) -> bool:
    """Whether a word can be what is spoken of: no number, and neither verb nor adjective as far as endings tell."""
    lowered = word.casefold()
    if len(word) < 4 or not word.isalpha() or lowered in STOP or is_common_verb(lowered) or is_verb_form(lowered):
        return False
    return word[0].isupper() or not lowered.endswith(_DESCRIBING)


def _periods(days: Sequence[date | None], rows: list[int], shown: list[int]) -> Iterator[tuple[int, str, list[int]]]:
    """Times whose rows are all shown: how narrow each is (all, a month, a day), as the question says it, its rows."""
    if len(rows) == len(shown):
        yield 0, "", rows
    own_days = [day for day in dict.fromkeys(days[row] for row in shown) if day is not None]
    for day in own_days:
        month = [row for row in rows if (own := days[row]) and (own.year, own.month) == (day.year, day.month)]
        if set(month) <= set(shown):
            yield 1, f" in {month_of(day)} {day.year}", month
    for day in own_days:
        same = [row for row in rows if days[row] == day]
        if set(same) <= set(shown):
            yield 2, f" on {said(day)}, {day.year}", same


def _fact(name: str, making: Making, source: Source, phrase: Phrase) -> Fact:
    stems = set(stems_of([word.casefold() for word in phrase.words]))
    holding = tuple(
        one for one in phrases_in(source.text) if stems <= set(stems_of([word.casefold() for word in one.words]))
    )
    statement = f"{making.around.asker.name(source)} spoke of {phrase.text}" + (
        f" ({source.time})" if source.time else ""
    )
    return Fact(name, statement, cited(source, holding[:1]), None, f"{phrase.text} {name}")
