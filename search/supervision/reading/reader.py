"""A blind reader by rules: no model, no network, the same reading every time.

It finds the sentences that say most of what the question asks about, in these or other words, and reads an answer of
the wanted type out of them; for counts, distances and choices it does so for each part. It answers only where what it
found is well above a floor and nothing else answers as well. It knows English and understands nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.search.supervision.contracts import BlindAsk, Reading
from designsearch.search.supervision.reading.blind_question import read
from designsearch.search.supervision.reading.choices import offered_order, part_line
from designsearch.search.supervision.reading.coverage import Shown
from designsearch.search.supervision.reading.distances import distance_of
from designsearch.search.supervision.reading.gathered import gathered
from designsearch.search.supervision.reading.looked_up import looked_up
from designsearch.search.supervision.reading.parts import Found, Sight
from designsearch.search.supervision.reading.role import OfflineRole
from designsearch.search.supervision.reading.sources import read_source, words_in
from designsearch.search.supervision.source_days import day_of_asking

RULES = tuple(
    "reading.answer_in_line reading.blind_question reading.choices reading.coverage reading.distances "
    "reading.gathered reading.looked_up reading.parts reading.reader reading.role reading.soft_terms "
    "reading.soft_words reading.sources source_days".split()
)
"""The modules that a reading depends on."""


class OfflineReader(OfflineRole):
    """Reads by rules; see the module's docstring."""

    rules = RULES

    def read(self, asks: Sequence[BlindAsk]) -> list[Reading]:
        """See :class:`~..contracts.Reader`; never fails."""
        self._soft.learn(w for ask in asks for w in words_in([read_source(s) for s in ask.sources]))
        return [self._read(ask) for ask in asks]

    def _read(self, ask: BlindAsk) -> Reading:
        sources = [read_source(source) for source in ask.sources]
        base = day_of_asking(ask.as_of, ask.sources)
        question = read(ask.question, ask.answer_type, base, self._soft)
        shown = Shown(sources, self._soft)
        if not len(question.terms) or not shown.lines:
            return Reading()
        sight = Sight(question, shown, self._soft, tuple(source.author for source in ask.sources))
        found = _in_setting(sight) if question.setting else _found(sight)
        if found is None:
            return Reading()
        return Reading(True, found.value, tuple(ask.sources[i].record for i in found.sources))


def _in_setting(sight: Sight) -> Found | None:
    """The answer to what is asked after ``After speaking of A, ...``, where a record that speaks of A is there too."""
    question = sight.question
    told, asks = question.setting or ("", "")
    own = read(asks, question.wanted, question.base, sight.soft)
    line = part_line(sight, told, several=True)
    found = _found(Sight(own, sight.shown, sight.soft, sight.authors)) if line is not None else None
    if line is None or found is None:
        return None
    return Found(found.value, tuple(dict.fromkeys((*found.sources, sight.source(line)))))


def _found(sight: Sight) -> Found | None:
    """The answer by the first way of reading that the question fits."""
    question = sight.question
    if len(question.offered) > 1 and question.wanted in ("text", "list"):
        return offered_order(sight)
    if question.wanted in ("number", "boolean") and any(question.pairs()):
        apart = distance_of(sight)
        if apart is not None or question.apart:
            return apart
    if question.wanted == "list" or (question.wanted == "number" and (question.occasions or question.total)):
        return gathered(sight)
    return looked_up(sight)
