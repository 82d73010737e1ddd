"""An episode with all that judging it takes: the question, its reference answer and gold evidence, and the memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from designsearch.runtime.episodes.states import ActionType, Trajectory
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import History, Question
from designsearch.search.metrics.answer_recall import answer_recall, prepare
from designsearch.search.training.judging.rule_rewards import rule_rewards
from designsearch.search.training.judging.step_facts import Rows, StepFacts, facts_of


@dataclass(frozen=True)
class Judged:
    """An episode that is judged by its evidence.

    Attributes:
        question: with its gold answer and evidence.
        trajectory: what a policy did about it.
        memory: what was searched.
        shown: shape (units,), the records that each unit shows, where they are at hand; looked up otherwise.
    """

    question: Question
    trajectory: Trajectory
    memory: Memory
    shown: Sequence[Rows] | None = None

    @cached_property
    def gold(self) -> Rows:
        """Rows of the gold records; those that the history does not have are left out."""
        return gold_rows(self.question, self.memory.history)

    @property
    def cited(self) -> Rows:
        """Rows of the records that the final notes cite."""
        return frozenset(cited.record for note in self.trajectory.notes for cited in note.cited)

    @cached_property
    def facts(self) -> tuple[StepFacts, ...]:
        """The facts of every step."""
        shown = self.shown
        look_up = shown.__getitem__ if shown is not None else lambda unit: records_of(self.memory, unit)
        return facts_of(self.trajectory, self.gold, look_up)

    @property
    def found(self) -> float:
        """Share of the gold records that a search exposed; 1 where there is none."""
        exposed = {row for facts in self.facts if facts.type == "search" for row in facts.exposure.records}
        return len(self.gold & exposed) / len(self.gold) if self.gold else 1.0

    @property
    def recall(self) -> float:
        """Share of the gold records that the notes cite; 1 where there is none."""
        return len(self.gold & self.cited) / len(self.gold) if self.gold else 1.0

    @property
    def precision(self) -> float:
        """Share of the cited records that are gold; 0 where nothing is cited."""
        return len(self.gold & self.cited) / len(self.cited) if self.cited else 0.0

    @property
    def answered(self) -> float | None:
        """Share of the reference answer's content that the records which the notes cite say, word for word.

        ``None`` where the answer could not stand in a text (:func:`~...metrics.answer_recall.answer_recall`).
        """
        texts = self.memory.history.texts
        return answer_recall(prepare([self.question]), 0, "\n".join(texts[row] for row in sorted(self.cited)))

    def rule_scores(self) -> tuple[tuple[ActionType, int], ...]:
        """The rule's reward of each step, with its type."""
        return rule_rewards(self.facts)


def gold_rows(question: Question, history: History) -> Rows:
    """Rows of the gold records of a question; those that the history does not have are left out."""
    rows = history.row
    return frozenset(rows[one.record] for one in question.evidence if one.record in rows)


def records_of(memory: Memory, unit: int) -> Rows:
    """Rows of the source records of a unit by global id."""
    store = memory.stores[memory.source_of(unit)[0]]
    local = unit - store.base
    spans = slice(int(store.units.offsets[local]), int(store.units.offsets[local + 1]))
    return frozenset(store.units.records[spans].tolist())
