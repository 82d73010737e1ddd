r"""Is the gold evidence in the final context: word for word, and with provenance?

A gold record is present when the context shows a unit of that record (provenance) *and* its sentences stand in the
context word for word: at least 0.8 of its words in whole sentences, and every sentence that holds a digit. Words are
runs of ``\w`` in lower case, so that punctuation and white space, line breaks included, change nothing. A sentence
ends at white space after ``.``, ``!`` or ``?``, or at a line break.

Text that a model or a rule wrote therefore counts only where it repeats the source.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from designsearch.runtime.records import History, Question
from designsearch.search.metrics.lines import KEPT, LONG

SHARE_OF_WORDS = 0.8
"""The least share of a gold text's words that must stand in the context in whole sentences."""

_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a gold text.

    Attributes:
        words: its words, one space before, between and after them.
        size: number of words.
        has_digit: whether a digit stands in it.
    """

    words: str
    size: int
    has_digit: bool


@dataclass(frozen=True, slots=True)
class Gold:
    """One gold record of a question, ready to be looked for.

    Attributes:
        record: the record's id.
        sentences: of the quote, else of the record's whole text.
        known: False where the history has no such record; it is then present in no context.
    """

    record: str
    sentences: tuple[Sentence, ...]
    known: bool = True


@dataclass(frozen=True, slots=True)
class GoldSet:
    """The gold evidence of a set of questions.

    Attributes:
        golds: shape (questions,), the gold records of each in the order of its evidence.
        measured: shape (questions,), False where a question has no evidence or is not answerable.
    """

    golds: tuple[tuple[Gold, ...], ...]
    measured: tuple[bool, ...]

    def __len__(self) -> int:
        """Number of questions."""
        return len(self.golds)

    @property
    def missing(self) -> tuple[tuple[int, str], ...]:
        """The (question, record id) pairs whose record the history does not have, for the report."""
        return tuple((q, gold.record) for q, golds in enumerate(self.golds) for gold in golds if not gold.known)


def prepare(questions: Sequence[Question], history: History) -> GoldSet:
    """Split the gold evidence of each question into sentences, once for all contexts to come."""
    cache: dict[str, tuple[Sentence, ...]] = {}

    def gold(record: str, quote: str | None) -> Gold:
        row = history.row.get(record)
        if row is None:
            return Gold(record, (), known=False)
        text = history.texts[row] if quote is None else quote
        if text not in cache:
            cache[text] = sentences(text)
        return Gold(record, cache[text])

    return GoldSet(
        golds=tuple(tuple(gold(e.record, e.quote) for e in question.evidence) for question in questions),
        measured=tuple(question.answerable and bool(question.evidence) for question in questions),
    )


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text that hold at least one word."""
    split = (_WORD.findall(part.lower()) for part in _SENTENCE_END.split(text))
    return tuple(
        Sentence(f" {' '.join(words)} ", len(words), any(c.isdigit() for word in words for c in word))
        for words in split
        if words
    )


def words_of(context: str) -> str:
    """The words of a context in order, one space before, between and after them."""
    lines = (_kept_words(line) if len(line) <= LONG else _words(line) for line in context.split("\n"))
    return f" {' '.join(line for line in lines if line)} "


def _words(line: str) -> str:
    return " ".join(_WORD.findall(line.lower()))


_kept_words = lru_cache(maxsize=KEPT)(_words)


def verbatim(gold: Sequence[Sentence], words: str) -> bool:
    """Whether a gold text stands word for word in a context's ``words`` (a text without words always does)."""
    size = sum(sentence.size for sentence in gold)
    there = 0
    for sentence in gold:
        if sentence.words in words:
            there += sentence.size
        elif sentence.has_digit:
            return False
    return there >= SHARE_OF_WORDS * size


def present(gold_set: GoldSet, q: int, context_text: str, shown_records: Collection[str]) -> list[bool]:
    """Which gold records of question ``q`` are present in its final context.

    Args:
        gold_set: the prepared evidence.
        q: the question's position in the set.
        context_text: the whole final text.
        shown_records: ids of the records that the context's units come from; a set where it is large.

    Returns:
        One value a gold record, in the order of the question's evidence.
    """
    golds = gold_set.golds[q]
    if not any(gold.known and gold.record in shown_records for gold in golds):
        return [False] * len(golds)
    words = words_of(context_text)
    return [gold.known and gold.record in shown_records and verbatim(gold.sentences, words) for gold in golds]


def evidence_recall(gold_set: GoldSet, q: int, found: Sequence[bool]) -> float | None:
    """Share of the gold records of question ``q`` that are present; ``None`` where evidence is not measured."""
    return sum(found) / len(found) if gold_set.measured[q] else None


def evidence_coverage(gold_set: GoldSet, q: int, found: Sequence[bool]) -> float | None:
    """1 where every gold record of question ``q`` is present, else 0; ``None`` where evidence is not measured."""
    return float(all(found)) if gold_set.measured[q] else None
