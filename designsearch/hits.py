"""What a memory in use gives back: the memories that it found, and its answers."""

from __future__ import annotations

from dataclasses import dataclass

from designsearch.runtime.excerpts import Excerpt, source_of
from designsearch.runtime.memory import Memory as Stores
from designsearch.runtime.records import Context


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that was found.

    Attributes:
        text: what it says; of what a policy noted, what its notes cite.
        records: ids of the records that it comes from, as far as they are shown.
        rank: 1-based place in the ranking.
        score: the last stage's score; comparable within one ranking only.
        time: ISO 8601 as the source gives it, empty where unknown.
        author, session, source: of its first record.
        store: the store that it is in.
    """

    text: str
    records: tuple[str, ...]
    rank: int
    score: float
    time: str
    author: str
    session: str
    source: str
    store: str


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with what it was made from.

    Attributes:
        text: the answer; empty where the context does not hold it.
        abstained: True in that case.
        context: what the answerer read.
        units: the memories shown in it, in the order shown.
        seconds: time from question to answer.
        failure: why there is no answer, where the answerer failed; empty where it did not.
    """

    text: str
    abstained: bool
    context: Context
    units: tuple[Hit, ...]
    seconds: float
    failure: str = ""

    def __str__(self) -> str:
        """The answer in words."""
        if self.failure:
            return f"(the answerer failed: {self.failure})"
        return self.text or "(the memory does not say)"


def hit_of(stores: Stores, unit: int, rank: int, score: float, excerpt: Excerpt | None) -> Hit:
    """The hit that a unit, or an excerpt of it, is; by its global id."""
    store, records = source_of(stores, unit, excerpt)
    history, first = stores.history, int(stores.first_records[unit]) if excerpt is None else excerpt.first
    return Hit(
        text=stores.text(unit) if excerpt is None else excerpt.text(history),
        records=records,
        rank=rank,
        score=score,
        time=history.time_texts[first],
        author=history.authors[first],
        session=history.sessions[first],
        source=history.sources[first],
        store=store,
    )
