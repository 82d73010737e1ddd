"""A plan together with the frame of its question: what is said in fixed words, and what in words still to be chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from random import Random

from designsearch.search.supervision.contracts import Material, Source
from designsearch.search.supervision.offline.manner import Manner
from designsearch.search.supervision.offline.phrases import Phrase
from designsearch.search.supervision.offline.surroundings import Surroundings
from designsearch.search.supervision.plans import Citation, Contribution, Fact, Operation, Plan


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a question for what a record is about.

    Attributes:
        row: the record's row, whose answers may lend words.
        phrases: of the record.
        avoid: words that must not appear, casefolded.
        fixed: whether the words stay as they are.
    """

    row: int
    phrases: tuple[Phrase, ...]
    avoid: str = ""
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Sketch:
    """A plan and the frame of its question.

    Attributes:
        plan: checked before the question is worded.
        frame: the question's fixed words, in pieces.
        slots: what stands between one piece and the next.
        day: a day that the question may name; ``None`` where it would give the answer away.
    """

    plan: Plan
    frame: tuple[str, ...]
    slots: tuple[Slot, ...]
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Making:
    """What the rules make a sketch from.

    Attributes:
        material: the bundle.
        around: the whole history.
        chance: this item's own, which decides what is asked.
        words: another one, which decides in which words; so the same question can be put in different words.
        manner: how far the words may go from the record's own.
        careful: whether questions are refused that several answers would fit.
    """

    material: Material
    around: Surroundings
    chance: Random
    words: Random
    manner: Manner
    careful: bool = True


Kind = Callable[[Making], Sketch | None]
"""Makes a sketch of one kind of question; ``None`` where the bundle does not lend itself to it."""


def cited(source: Source, phrases: tuple[Phrase, ...], *spans: tuple[int, int]) -> tuple[Citation, ...]:
    """The sentences that hold some phrases and further spans, each once, in order."""
    wanted = {phrase.sentence for phrase in phrases} | set(spans)
    inside = {one for one in wanted if not any(o != one and o[0] <= one[0] and one[1] <= o[1] for o in wanted)}
    return tuple(Citation(source.record, start, end, source.text[start:end]) for start, end in sorted(inside))


def listed(phrases: tuple[str, ...] | list[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return phrases[0] if len(phrases) == 1 else ", ".join(phrases[:-1]) + " and " + phrases[-1]


def planned(kind: str, intent: str, answer: tuple[str, object], facts: tuple[Fact, ...], operation: Operation) -> Plan:
    """A plan of one operation whose evidence is what its facts cite."""
    records = dict.fromkeys(citation.record for fact in facts for citation in fact.citations)
    gives = {c.record: fact.statement for fact in reversed(facts) for c in fact.citations}
    evidence = tuple(Contribution(record, gives[record]) for record in records)
    answer_type, value = answer
    return Plan(intent, answer_type, value, facts, evidence, (operation,), kind)  # type: ignore[arg-type]
