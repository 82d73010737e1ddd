"""What the ways of reading share: the question over its records, and what each sentence would answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from designsearch.runtime.records import Value
from designsearch.search.metrics.typed import canonical
from designsearch.search.supervision.reading.answer_in_line import (
    Place,
    date_in,
    date_words_in,
    number_in,
    place,
    words_in,
)
from designsearch.search.supervision.reading.blind_question import Question
from designsearch.search.supervision.reading.coverage import Match, Shown, best_first
from designsearch.search.supervision.reading.soft_terms import terms_of
from designsearch.search.supervision.reading.soft_words import SoftWords

FLOOR = 0.45
"""Share of what is looked for that the best sentence has to say, with its record."""
TOPIC_FLOOR = 0.3
"""The same of what is not a name: a record about the right person alone answers nothing."""
NAMED_FLOOR = 0.5
"""The same of the names."""
HALF_FLOOR = 0.4
"""Share of each half of a question about two things together."""
CLEAR = 0.93
"""A sentence with this share of the best one's score answers as well as it."""


@dataclass(frozen=True)
class Found:
    """An answer.

    Attributes:
        value: in the type asked for.
        sources: places of the records that it rests on.
    """

    value: Value
    sources: tuple[int, ...]


@dataclass(frozen=True)
class Sight:
    """A question over the records shown.

    Attributes:
        question: the question.
        shown: the records.
        soft: knows the words.
        authors: of each record.
    """

    question: Question
    shown: Shown
    soft: SoftWords
    authors: tuple[str, ...]

    @cached_property
    def match(self) -> Match:
        """The whole question over the sentences."""
        return self.shown.match(self.question.terms)

    def part(self, text: str) -> Match:
        """A part of the question over the sentences."""
        return self.shown.match(terms_of(text, self.soft, self.question.base))

    def supports(self, line: int) -> bool:
        """Whether a sentence says enough of the question to answer it."""
        match = self.match
        enough = match.scores[line] >= FLOOR and match.topic[line] >= TOPIC_FLOOR
        named = NAMED_FLOOR if not self.question.common else 0.1  # each of several may be about one of the names
        return bool(enough and match.named[line] >= named and self._says_all(line))

    def _says_all(self, line: int) -> bool:
        """Whether a sentence, with its record, says something of each of the things that are asked about together."""
        return all(part.scores[line] >= HALF_FLOOR for part in self._halves)

    @cached_property
    def _halves(self) -> tuple[Match, ...]:
        halves = [terms_of(half, self.soft, self.question.base) for half in self.question.together]
        return tuple(self.shown.match(half) for half in halves) if all(len(half) for half in halves) else ()

    def source(self, line: int) -> int:
        """The record of a sentence."""
        return int(self.shown.owner[line])

    def spot(self, line: int) -> Place:
        """A sentence beside the question."""
        score = float(self.match.scores[line])
        return place(self.shown.lines[line], self.authors[self.source(line)], self.question, self.soft, score)

    def answer(self, line: int, known: frozenset[str] = frozenset()) -> Value:
        """What a sentence answers, in the type asked for; ``None`` where it holds nothing of that type."""
        spot, wanted = self.spot(line), self.question.wanted
        value: Value
        if wanted == "date":
            value = date_in(spot, self.question)
        elif wanted == "number":
            value = number_in(spot, self.question, self.soft)
        elif wanted == "boolean":
            value = spot.line.negated == self.question.asked.negated
        elif self.question.asked.kind == "when":
            value = date_words_in(spot, self.question)
        else:
            value = words_in(spot, self.question, self.soft, known)
        if not value and wanted in ("text", "number"):
            value = self._elsewhere(line, known)
        return value if canonical(value, wanted) is not None else None

    def _elsewhere(self, line: int, known: frozenset[str]) -> str:
        """What another sentence of the same record says, the nearest before others.

        Only a number, a name, a title or a time: a phrase stands in every sentence.
        """
        question = self.question
        if question.wanted == "text" and not question.names_something:
            return ""
        owner = self.source(line)
        others = [n for n in range(len(self.shown.lines)) if n != line and self.source(n) == owner]
        for other in sorted(others, key=lambda n: (abs(n - line), n)):
            spot = self.spot(other)
            if question.wanted == "number":
                found = number_in(spot, question, self.soft)
            elif question.asked.kind == "when":
                found = date_words_in(spot, question)
            else:
                found = words_in(spot, question, self.soft, known)
            if found:
                return found
        return ""

    def best_of_each(self, match: Match) -> list[int]:
        """The best sentence of each record, by falling score."""
        found: dict[int, int] = {}
        for line in best_first(match.scores):
            found.setdefault(self.source(line), line)
        return list(found.values())
