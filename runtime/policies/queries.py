"""What a learned policy may search for next: one query a source at most, made without a model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from designsearch.runtime.episodes.states import Note, State
from designsearch.runtime.function_words import ENGLISH
from designsearch.runtime.lexical_tokens import stem_all, words
from designsearch.runtime.memory import Memory
from designsearch.runtime.policies.facets import dates, names, terms_of, without
from designsearch.runtime.policies.telling import STEM, Telling
from designsearch.runtime.records import NO_TIME, Query

SOURCES = ("question", "uncovered", "name", "date", "clause", "feedback", "day")
"""Where queries come from: the question itself; its words that no note holds; its names; its dates; its clauses;
telling words of the first note; the day that most of the first notes are of. A file of weights names them."""

FIRST_NOTES = 5
"""Notes whose days are counted."""

FEEDBACK_WORDS = 6
"""Words of the first note that are searched for together."""

CLAUSE_WORDS = 2
"""Words with content that a clause must have."""

_JOINT = re.compile(
    r"[,;:?!]\s+|\s+(?:and|but|or|before|after|while|when|where|which|who|that|because|since|until)\s+", re.IGNORECASE
)


class Proposals:
    """Makes the queries of a state.

    Args:
        memory: that is searched.
        telling: weighs words by how few units hold them.
    """

    def __init__(self, memory: Memory, telling: Telling) -> None:
        self._memory = memory
        self._telling = telling
        self._feedback: dict[tuple[str, int], Query | None] = {}
        self._static: dict[tuple[str, int], tuple[tuple[str, Query], ...]] = {}
        self._terms: dict[Query, frozenset[str]] = {}

    def of(self, state: State, own: Sequence[Query], covered: frozenset[str]) -> dict[str, Query]:
        """The first query of each source that was not searched for yet, by source.

        Args:
            state: where the episode stands.
            own: what the stages before made of the question.
            covered: stems of the question that notes hold.
        """
        done = {self._terms_of(search.query) for search in state.searches}
        made: dict[str, Query] = {}
        for source, query in self.all_of(state, own, covered):
            terms = self._terms_of(query)
            if source not in made and terms and terms not in done:
                made[source] = query
        return made

    def all_of(self, state: State, own: Sequence[Query], covered: frozenset[str]) -> Iterator[tuple[str, Query]]:
        """Every query with its source, those of one source in order; the arguments are those of :meth:`of`."""
        yield from (("question", query) for query in own if query.text.strip() or query.terms)
        yield from self._said(state.question, state.as_of)
        if not state.notes:
            return
        left = without(state.question, covered)
        if left is not None:
            yield "uncovered", left
        fed = self._fed(state.question, state.notes[0])
        if fed is not None:
            yield "feedback", fed
        yield from (("day", query) for query in self._days(state.notes[:FIRST_NOTES]))

    def _said(self, question: str, as_of: int) -> tuple[tuple[str, Query], ...]:
        """What the question alone names."""
        key = question, as_of
        if key not in self._static:
            self._static[key] = (
                *(("name", query) for query in names(question)),
                *(("date", query) for query in dates(question, as_of)),
                *(("clause", query) for query in clauses(question)),
            )
        return self._static[key]

    def _terms_of(self, query: Query) -> frozenset[str]:
        if query not in self._terms:
            self._terms[query] = terms_of(query)
        return self._terms[query]

    def _fed(self, question: str, note: Note) -> Query | None:
        """The rarest words of a note that the question does not hold."""
        key = question, note.unit
        if key not in self._feedback:
            text = self._memory.text(note.unit)
            asked = set(stem_all(words(question), STEM))
            weights = self._telling.weights(text)
            said = list(dict.fromkeys(word for word in words(text) if word not in ENGLISH))
            new = {
                stem: word for word, stem in zip(said, stem_all(said, STEM), strict=True)
                if stem in weights and stem not in asked
            }  # fmt: skip
            best = sorted(new, key=lambda stem: (-weights[stem], stem))[:FEEDBACK_WORDS]
            text = " ".join(new[stem] for stem in best)
            self._feedback[key] = Query("keywords", text) if text else None
        return self._feedback[key]

    def _days(self, notes: Sequence[Note]) -> Iterator[Query]:
        """The days of some notes in words, the most frequent first."""
        times = [int(self._memory.times[note.unit]) for note in notes]
        for day, _ in Counter(time // 86_400 for time in times if time != NO_TIME).most_common():
            said = datetime.fromtimestamp(day * 86_400, UTC)
            yield Query("keywords", f"{said.day} {said:%B %Y}")


def clauses(question: str) -> Iterator[Query]:
    """The clauses of a question of more than one, each with at least two words of content."""
    parts = [part.strip(" .?!") for part in _JOINT.split(question)]
    telling = [part for part in parts if sum(word not in ENGLISH for word in words(part)) >= CLAUSE_WORDS]
    if len(telling) > 1:
        yield from (Query("keywords", part) for part in telling)
