"""Divide a study's questions into shares that do not leak into each other.

With three or more histories each history goes into one share as a whole, so that what is claimed holds for users that
the search has not seen. With fewer, questions that share a gold record (or are the same question) stay together. The
division depends on the seed and on what the questions are, never on their order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from designsearch.dsl.problems import UserError
from designsearch.runtime.records import Question
from designsearch.search.apportion import apportion
from designsearch.search.contracts import PARTS, Part
from designsearch.search.groups import group_questions
from designsearch.search.results import Key
from designsearch.search.study_shape import SplitShape

_ARRANGEMENTS = 64
"""Seeded arrangements of histories that are tried; the one nearest to the shares asked for is taken."""

_ENOUGH = 3
"""Histories from which on they are kept whole."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions about one history.

    Attributes:
        history: its name, unique in the study.
        questions: the questions.
        pinned: the share that the whole history belongs to, where the study says so.
        placed: the share of each question by its id, where the part of the history that it was made from settles it;
            of all questions or of none.
    """

    history: str
    questions: tuple[Question, ...]
    pinned: Part | None = None
    placed: Mapping[str, Part] = field(default_factory=dict)


@dataclass(frozen=True)
class Split:
    """Which share each question belongs to.

    Attributes:
        by: what was kept together: ``history`` or ``question``.
        part_of: the share of each question.
        notes: what the reader of a result should know about the division.
        made: the histories whose questions were generated from them rather than asked by somebody.
    """

    by: str
    part_of: Mapping[Key, Part]
    notes: tuple[str, ...] = ()
    made: frozenset[str] = frozenset()
    _sizes: Mapping[Part, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        sizes = {part: sum(p == part for p in self.part_of.values()) for part in PARTS}
        object.__setattr__(self, "_sizes", sizes)

    def size(self, part: Part) -> int:
        """Number of questions in a share."""
        return self._sizes[part]

    def keys(self, part: Part) -> list[Key]:
        """The questions of a share, sorted."""
        return sorted(key for key, own in self.part_of.items() if own == part)

    def generated(self, *parts: Part) -> int:
        """Number of questions in some shares, in all where none is named, that were generated from their history."""
        return sum(key.history in self.made for key, own in self.part_of.items() if not parts or own in parts)

    def histories(self, part: Part) -> list[str]:
        """The histories that a share has questions about, sorted."""
        return sorted({key.history for key, own in self.part_of.items() if own == part})

    def lines(self) -> list[str]:
        """The shares reached, for people, one line each, and the notes."""
        total = len(self.part_of)
        shares = [
            f"{part}: {_counted(self.size(part), 'question', 'questions')} ({self.size(part) / total:.0%}) "
            f"about {_counted(len(self.histories(part)), 'history', 'histories')}"
            for part in PARTS
            if self.size(part)
        ]
        made = [of] if (of := generated_line(self.generated(), total)) else []
        return [*shares, *made, *self.notes]


def generated_line(generated: int, total: int) -> str:
    """Where questions are from, in words; empty where none was generated."""
    if not generated:
        return ""
    which = "the questions are" if generated == total else f"{generated:,} of the {total:,} questions are"
    return f"{which} generated from the histories, not official"


def split_questions(asked: Sequence[Asked], shares: SplitShape, seed: int) -> Split:
    """Divide the questions of a study.

    Args:
        asked: the questions, history by history.
        shares: the shares wanted, and what is kept together.
        seed: of the division.

    Raises:
        UserError: a share that is asked for would stay empty.
    """
    wanted: dict[Part, float] = {part: getattr(shares, part) for part in PARTS if getattr(shares, part) > 0}
    part_of = {key: one.pinned for one in asked if one.pinned for key in _keys(one)}
    free = [one for one in asked if one.pinned is None and one.questions]
    still = {part: share for part, share in wanted.items() if part not in part_of.values()} or wanted
    notes: list[str] = []
    if any(one.placed for one in free):
        whole = False
        notes.append("divided by the parts of the histories that questions are made from")
    else:
        whole = _by_history(len(asked), len(free), len(still), shares.by, notes)
    part_of |= {Key(one.history, name): part for one in free for name, part in one.placed.items()}
    free = sorted((one for one in free if not one.placed), key=lambda one: one.history)
    if whole:
        part_of |= _whole_histories(free, still, seed)
    else:
        part_of |= _groups(free, still, seed)
    for part in wanted:
        if part not in part_of.values():
            raise UserError(
                f"split: no question is left for {part}: {len(part_of)} questions about "
                f"{_counted(len(asked), 'history', 'histories')} cannot be divided into {len(wanted)} shares; "
                f"use more questions, or {'split by question' if whole else 'fewer shares'}"
            )
    return Split("history" if whole else "question", part_of, tuple(notes))


def keeps_whole(pinned: Sequence[Part | None], shares: SplitShape) -> bool:
    """Whether :func:`split_questions` will keep each history in one share.

    Args:
        pinned: of each history with questions, the share that the study puts it into as a whole.
        shares: the shares wanted, and what is kept together.

    Raises:
        UserError: histories are to be kept whole, and are too few for the shares.
    """
    wanted = [part for part in PARTS if getattr(shares, part) > 0]
    still = [part for part in wanted if part not in pinned] or wanted
    return _by_history(len(pinned), pinned.count(None), len(still), shares.by, [])


def _by_history(total: int, free: int, parts: int, by: str, notes: list[str]) -> bool:
    if by == "question" or (by == "auto" and total < _ENOUGH):
        if by == "auto":
            notes.append(
                f"{_counted(total, 'history', 'histories')}: divided by questions; it says nothing about others"
            )
        return False
    if free < parts:
        said = f"{_counted(free, 'history is', 'histories are')} too few for {parts} shares"
        if by == "history":
            raise UserError(f"split: {said}; use more histories, fewer shares, or by: question")
        notes.append(f"{said}: divided by questions")
        return False
    if free < 4 * parts:
        notes.append(f"only {_counted(total, 'history', 'histories')}: differences between users weigh heavily")
    return True


def _whole_histories(free: Sequence[Asked], shares: Mapping[Part, float], seed: int) -> dict[Key, Part]:
    """Whole histories, as many a share as its size asks for, of the arrangement that comes nearest to the shares."""
    counts = apportion(len(free), shares)
    total = sum(len(one.questions) for one in free)
    best: tuple[float, dict[str, Part]] | None = None
    for arrangement in range(_ARRANGEMENTS):
        order = sorted(free, key=lambda one: _draw(seed, arrangement, one.history))
        placed: dict[str, Part] = {}
        for part, count in counts.items():
            placed |= {one.history: part for one in order[len(placed) : len(placed) + count]}
        reached = {part: sum(len(one.questions) for one in free if placed[one.history] == part) for part in shares}
        whole = sum(shares.values())
        off = sum(abs(reached[part] / total - share / whole) for part, share in shares.items())
        if best is None or off < best[0] - 1e-12:
            best = (off, placed)
    assert best is not None
    return {key: best[1][one.history] for one in free for key in _keys(one)}


def _groups(free: Iterable[Asked], shares: Mapping[Part, float], seed: int) -> dict[Key, Part]:
    """Groups of each history's questions, the largest first, each to the share that lacks most."""
    whole = sum(shares.values())
    lacking = dict.fromkeys(shares, 0.0)
    part_of: dict[Key, Part] = {}
    for one in free:
        for part, share in shares.items():
            lacking[part] += len(one.questions) * share / whole
        groups = group_questions(one.questions)
        for group in sorted(groups, key=lambda g: (-len(g), _draw(seed, one.history, *g))):
            part = max(lacking, key=lambda p: (lacking[p], shares[p], p))
            lacking[part] -= len(group)
            part_of |= {Key(one.history, question_id): part for question_id in group}
    return part_of


def _keys(one: Asked) -> list[Key]:
    return [Key(one.history, question.id) for question in one.questions]


def _draw(*parts: object) -> str:
    """A number that only the seed and the content decide."""
    return hashlib.sha256("\x1f".join(str(part) for part in parts).encode("utf-8", "surrogatepass")).hexdigest()


def _counted(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"
