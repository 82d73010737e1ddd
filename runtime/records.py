"""The data that flows through a pipeline, column by column.

A history of N records is a handful of arrays and string lists, never N objects: hot paths stay vectorised, and a record
object is made only for the few that somebody looks at.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

Ranked = tuple[IntArray | Sequence[int], FloatArray | Sequence[float]]
"""Ids and scores of one question, best first."""

NO_TIME = np.iinfo(np.int64).min
"""The value of a time that is not known."""

EventKind = Literal["add", "edit", "delete"]
AnswerType = Literal["text", "number", "date", "boolean", "list"]


@dataclass(frozen=True, slots=True)
class Record:
    """One event of a history, as loaders make it and people see it.

    Attributes:
        id: unique within the history.
        text: the source text, untouched.
        time: ISO 8601 as the source gives it, with its own precision and zone; ``None`` where unknown.
        known_at: when the agent learnt it; ``None`` means ``time``.
        event: ``add`` a record, ``edit`` the one with this id, or ``delete`` it.
    """

    id: str
    text: str
    time: str | None = None
    known_at: str | None = None
    author: str = ""
    role: str = ""
    session: str = ""
    source: str = ""
    section: str = ""
    reply_to: str = ""
    refs: tuple[str, ...] = ()
    scope: str = "user"
    event: EventKind = "add"
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A gold record of a question.

    Attributes:
        record: the record's id.
        quote: the part of its text that must be shown; ``None`` means the whole text.
    """

    record: str
    quote: str | None = None


Value = str | int | float | bool | list[str] | None


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its gold answer and evidence.

    Attributes:
        id: keyed by content, unique within the question set.
        answer: the gold answer; ``None`` where the question is not answerable.
        alternatives: further gold answers, any of which is right.
        type: the data set's own kind of question (``temporal``, ``multi_hop``, ...).
        as_of: ISO 8601 time of asking; ``None`` where the data set gives none.
        answerable: False where the right answer is to abstain.
        meta: what else the data set says; never shown to a model.
    """

    id: str
    question: str
    answer: Value = None
    answer_type: AnswerType = "text"
    alternatives: tuple[str, ...] = ()
    type: str = "uncategorised"
    as_of: str | None = None
    answerable: bool = True
    evidence: tuple[Evidence, ...] = ()
    meta: dict[str, Any] = field(default_factory=dict)


def hash_texts(h: hashlib.blake2b, texts: Sequence[str]) -> None:
    """Feed texts to a hash so that no two sequences of texts give the same bytes."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    h.update(np.array([len(encoded), *map(len, encoded)], np.int64).tobytes())
    h.update(b"".join(encoded))


@dataclass(frozen=True, slots=True)
class Column:
    """A column of repeated strings: one small integer a row, the distinct values once.

    Attributes:
        codes: shape (rows,), the index into ``names``.
        names: the distinct values in order of first appearance.
    """

    codes: NDArray[np.int32]
    names: tuple[str, ...]

    @classmethod
    def of(cls, values: Iterable[str]) -> Column:
        """Encode a sequence of strings."""
        table: dict[str, int] = {}
        codes = np.fromiter((table.setdefault(v, len(table)) for v in values), dtype=np.int32)
        return cls(codes, tuple(table))

    def __getitem__(self, row: int) -> str:
        """The string of one row."""
        return str(self.names[self.codes[row]])

    def take(self, rows: IntArray) -> Column:
        """The column at those rows, same names."""
        return Column(self.codes[rows], self.names)


@dataclass(frozen=True)
class History:
    """An immutable snapshot of what is remembered, in order of time (ties in order of arrival).

    Attributes:
        name: the history's name, for people.
        ids: record ids.
        texts: record texts.
        times: shape (records,), local wall-clock seconds since 1970-01-01, ``NO_TIME`` where unknown.
        time_texts: ISO 8601 as the source gave it; empty where unknown.
        authors, roles, sessions, sources, sections, scopes: repeated strings.
        reply_to: the id replied to, or an empty string.
    """

    name: str
    ids: tuple[str, ...]
    texts: tuple[str, ...]
    times: IntArray
    time_texts: tuple[str, ...]
    authors: Column
    roles: Column
    sessions: Column
    sources: Column
    sections: Column
    scopes: Column
    reply_to: tuple[str, ...]
    refs: dict[int, tuple[str, ...]]
    meta: dict[int, dict[str, Any]]

    def __len__(self) -> int:
        """Number of records."""
        return len(self.ids)

    @cached_property
    def row(self) -> dict[str, int]:
        """Record id to row."""
        return {record_id: i for i, record_id in enumerate(self.ids)}

    @cached_property
    def fingerprint(self) -> str:
        """Hash of everything in the snapshot but its name; 16 hexadecimal digits."""
        h = hashlib.blake2b(digest_size=8)
        h.update(np.ascontiguousarray(self.times).tobytes())
        for column in (self.ids, self.texts, self.time_texts, self.reply_to):
            hash_texts(h, column)
        for coded in (self.authors, self.roles, self.sessions, self.sources, self.sections, self.scopes):
            h.update(np.ascontiguousarray(coded.codes).tobytes())
            hash_texts(h, coded.names)
        hash_texts(h, [repr(sorted(self.refs.items())), repr(sorted(self.meta.items()))])
        return h.hexdigest()

    def record(self, row: int) -> Record:
        """One record as an object."""
        return Record(
            id=self.ids[row],
            text=self.texts[row],
            time=self.time_texts[row] or None,
            author=self.authors[row],
            role=self.roles[row],
            session=self.sessions[row],
            source=self.sources[row],
            section=self.sections[row],
            reply_to=self.reply_to[row],
            refs=self.refs.get(row, ()),
            scope=self.scopes[row],
            meta=self.meta.get(row, {}),
        )


@dataclass(frozen=True)
class Units:
    """The memories of one store, each tied to spans of source records (its provenance).

    Attributes:
        texts: what one memory says.
        offsets: shape (units + 1,): unit ``u`` owns spans ``offsets[u]:offsets[u + 1]``.
        records: shape (spans,): row of the source record in the history.
        starts, ends: shape (spans,): the characters of that record's text that the unit shows, or was written from.
        written: whether a model wrote the texts; they are then no evidence, only their spans are.
        views: further texts of each unit that its operator brings along, by name, each of shape (units,).
        valid_until: shape (units,): when what a unit says was superseded, in local wall-clock seconds; ``NO_TIME``
            where it still holds; ``None`` where no operator keeps track.
        earlier: what a unit said before it was rewritten, oldest first, by unit.
    """

    texts: tuple[str, ...]
    offsets: IntArray
    records: IntArray
    starts: IntArray
    ends: IntArray
    written: bool = False
    views: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    valid_until: IntArray | None = None
    earlier: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        """Number of units."""
        return len(self.texts)

    @property
    def nbytes(self) -> int:
        """Bytes held, roughly: texts that no model wrote are mostly those of the history."""
        own = (*((self.texts,) if self.written else ()), *self.views.values(), *self.earlier.values())
        return 4 * self.records.nbytes + 64 * len(self.texts) + sum(len(text) for texts in own for text in texts)

    @cached_property
    def first(self) -> IntArray:
        """Shape (units,): row of each unit's first record, which lends it time, author, role, session and source."""
        return self.records[self.offsets[:-1]] if len(self) else np.zeros(0, np.int64)

    @cached_property
    def fingerprint(self) -> str:
        """Hash of texts and provenance; 16 hexadecimal digits."""
        h = hashlib.blake2b(digest_size=8)
        hash_texts(h, self.texts)
        for array in (self.offsets, self.records, self.starts, self.ends):
            h.update(np.ascontiguousarray(array).tobytes())
        if self.valid_until is not None:
            h.update(np.ascontiguousarray(self.valid_until).tobytes())
        for name, texts in sorted(self.views.items()):
            hash_texts(h, [name, *texts])
        return h.hexdigest()


@dataclass(frozen=True, slots=True)
class Query:
    """One thing to search for on behalf of a question.

    Attributes:
        kind: ``question`` (the user's words), ``keywords`` (terms) or ``passage`` (a text like the one looked for).
        text: the words.
        weight: its share where several queries are combined.
        terms: weighted index terms of a ``keywords`` query made by feedback; empty: the text is tokenised.
    """

    kind: Literal["question", "keywords", "passage"]
    text: str
    weight: float = 1.0
    terms: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Queries:
    """The queries of a batch of questions: one tuple of queries a question.

    Attributes:
        questions: the questions' own texts, shape (questions,).
        as_of: local wall-clock seconds of asking, ``NO_TIME`` where unknown, shape (questions,).
        queries: what to search for, shape (questions,).
    """

    questions: tuple[str, ...]
    as_of: IntArray
    queries: tuple[tuple[Query, ...], ...]

    @classmethod
    def of(cls, questions: Sequence[str], as_of: Sequence[int] | None = None) -> Queries:
        """Each question as its own one query."""
        times = np.array(as_of if as_of is not None else [NO_TIME] * len(questions), dtype=np.int64)
        return cls(tuple(questions), times, tuple((Query("question", q),) for q in questions))

    def __len__(self) -> int:
        """Number of questions."""
        return len(self.questions)

    def select(self, rows: IntArray) -> Queries:
        """The batch of those questions only."""
        picked = [int(r) for r in rows]
        return replace(
            self,
            questions=tuple(self.questions[r] for r in picked),
            as_of=self.as_of[rows],
            queries=tuple(self.queries[r] for r in picked),
        )


@dataclass(frozen=True, slots=True)
class Rankings:
    """Ranked units for a batch of questions, as one ragged array.

    Question ``q`` ranks ``ids[offsets[q]:offsets[q + 1]]``, best first, with their scores. A unit stands at most once
    in a question's ranking. Ids are global over the stores of a memory: store after store, in the design's order.

    Attributes:
        offsets: shape (questions + 1,), int64.
        ids: shape (entries,), int64.
        scores: shape (entries,), float64, finite, descending within a question (ties by id) unless a stage has
            placed units on purpose (``neighbors``, ``mmr``).
    """

    offsets: IntArray
    ids: IntArray
    scores: FloatArray

    @classmethod
    def empty(cls, questions: int) -> Rankings:
        """No units for any question."""
        return cls(np.zeros(questions + 1, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float64))

    @classmethod
    def of(cls, rows: Sequence[Ranked]) -> Rankings:
        """From one (ids, scores) pair a question, best first."""
        sizes = [len(ids) for ids, _ in rows]
        offsets = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(sizes, out=offsets[1:])
        ids = np.concatenate([np.asarray(i, np.int64) for i, _ in rows]) if rows else np.zeros(0, np.int64)
        scores = np.concatenate([np.asarray(s, np.float64) for _, s in rows]) if rows else np.zeros(0, np.float64)
        return cls(offsets, ids, scores)

    def __len__(self) -> int:
        """Number of questions."""
        return len(self.offsets) - 1

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self.offsets.nbytes + self.ids.nbytes + self.scores.nbytes

    @property
    def sizes(self) -> IntArray:
        """Shape (questions,): entries a question."""
        return np.diff(self.offsets)

    @property
    def owners(self) -> IntArray:
        """Shape (entries,): the question of each entry."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @property
    def ranks(self) -> IntArray:
        """Shape (entries,): 1-based rank of each entry within its question."""
        return np.arange(len(self.ids)) - np.repeat(self.offsets[:-1], self.sizes) + 1

    def of_question(self, q: int) -> tuple[IntArray, FloatArray]:
        """Ids and scores of one question."""
        span = slice(self.offsets[q], self.offsets[q + 1])
        return self.ids[span], self.scores[span]

    def keep(self, mask: NDArray[np.bool_]) -> Rankings:
        """Only the entries where ``mask`` (shape (entries,)) is True."""
        counts = np.bincount(self.owners[mask], minlength=len(self)) if len(self) else np.zeros(0, np.int64)
        offsets = np.zeros(len(self) + 1, np.int64)
        np.cumsum(counts, out=offsets[1:])
        return Rankings(offsets, self.ids[mask], self.scores[mask])

    def select(self, rows: IntArray) -> Rankings:
        """The rankings of those questions only, in that order."""
        sizes = self.sizes[rows]
        offsets = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(sizes, out=offsets[1:])
        index = np.repeat(self.offsets[rows] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return Rankings(offsets, self.ids[index], self.scores[index])

    @classmethod
    def first_of(cls, questions: int, owners: IntArray, ids: IntArray, scores: FloatArray) -> Rankings:
        """From entries in order, in which a unit may stand more than once: its first appearance counts.

        Args:
            questions: their number.
            owners: shape (entries,): the question of each entry, not falling.
            ids: shape (entries,).
            scores: shape (entries,).
        """
        width = int(ids.max(initial=0)) + 1
        # unique() returns the first index of each (question, unit)
        _, first = np.unique(owners * width + ids, return_index=True)
        first.sort()
        offsets = np.zeros(questions + 1, np.int64)
        np.cumsum(np.bincount(owners[first], minlength=questions), out=offsets[1:])
        return cls(offsets, ids[first], scores[first])

    def sorted(self) -> Rankings:
        """By falling score within each question, ties by id."""
        order = np.lexsort((self.ids, -self.scores, self.owners))
        return Rankings(self.offsets, self.ids[order], self.scores[order])


@dataclass(frozen=True, slots=True)
class ContextUnit:
    """A unit that entered a context.

    Attributes:
        id: global unit id.
        store: name of its store.
        records: ids of its source records that are shown: of what a policy noted those that it cites.
        rank: 1-based rank in the final ranking.
        score: its final score.
    """

    id: int
    store: str
    records: tuple[str, ...]
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Context:
    """What the answerer reads.

    Attributes:
        text: the whole final text.
        tokens: its length, counted on that text by the study's counter.
        units: what it shows, in the order shown.
    """

    text: str
    tokens: int
    units: tuple[ContextUnit, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, or an abstention.

    Attributes:
        text: the answer in words; empty where the answerer abstains.
        abstained: True where the context does not hold the answer.
        seconds: time spent; for a cached answer that of the original call.
        calls: model calls made; for a cached answer, those made originally.
        cost: in US dollars; for a cached answer, the original one.
        failure: why there is no answer, where the answerer failed; an abstention is none.
    """

    text: str
    abstained: bool = False
    seconds: float = 0.0
    calls: int = 0
    cost: float = 0.0
    failure: str = ""
