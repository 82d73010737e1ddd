"""Questions x design -> results: what the context of each question holds, and what is answered from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter
from typing import Literal

from designsearch.dsl.design import Design
from designsearch.runtime.compile import DEFAULT_BUDGET, Pipeline, compile_design
from designsearch.runtime.excerpts import Excerpts, excerpts_of
from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.histories.times import Moment, parse_time
from designsearch.runtime.lost_at import lost_at
from designsearch.runtime.memory import Memory
from designsearch.runtime.models.base import Answerer
from designsearch.runtime.pipeline import Run
from designsearch.runtime.record_index import RecordIndex
from designsearch.runtime.records import NO_TIME, Context, History, Queries, Question
from designsearch.runtime.services import Services
from designsearch.search.answered import Answered, answered, with_answer
from designsearch.search.judge import Judge
from designsearch.search.metrics import answer_recall, evidence
from designsearch.search.results import EvidenceResult, QuestionResult

HistoryView = Literal["all", "as_of"]


@dataclass(frozen=True)
class Task:
    """One history with the questions that are asked of it.

    Attributes:
        dataset: the history's event log.
        questions: the questions, gold answers and evidence included.
    """

    dataset: Dataset
    questions: tuple[Question, ...]

    @property
    def name(self) -> str:
        """The history's name."""
        return self.dataset.name

    @cached_property
    def full(self) -> History:
        """Everything that the history holds."""
        return self.dataset.history()

    @cached_property
    def golds(self) -> evidence.GoldSet:
        """The evidence, ready to be looked for."""
        return evidence.prepare(self.questions, self.full)

    @cached_property
    def answers(self) -> answer_recall.AnswerSet:
        """The gold answers, ready to be looked for."""
        return answer_recall.prepare(self.questions)

    @cached_property
    def stated(self) -> tuple[bool, ...]:
        """Whether the evidence of each question says its whole answer; a question without evidence counts as if."""
        return tuple(
            not question.evidence or answer_recall.answer_recall(self.answers, i, self._said(question)) in (1, None)
            for i, question in enumerate(self.questions)
        )

    def _said(self, question: Question) -> str:
        """What the records of the evidence say, each with its date."""
        full = self.full
        rows = [full.row[one.record] for one in question.evidence if one.record in full.row]
        return "\n".join(f"{full.time_texts[row]}\n{full.texts[row]}" for row in rows)

    @cached_property
    def asked(self) -> tuple[Moment | None, ...]:
        """When each question was asked."""
        return tuple(parse_time(q.as_of) if q.as_of else None for q in self.questions)

    def snapshot(self, as_of: Moment | None) -> History:
        """What was known at a moment; everything where that is ``None``. Snapshots are kept."""
        if as_of is None:
            return self.full
        if as_of.text not in self._snapshots:
            self._snapshots[as_of.text] = self.dataset.history(as_of)
        return self._snapshots[as_of.text]

    @cached_property
    def _snapshots(self) -> dict[str, History]:
        return {}

    def queries(self, rows: Sequence[int]) -> Queries:
        """Those questions as a batch; a question asked "on a day" counts to the end of that day."""
        moments = [self.asked[r] for r in rows]
        times = [NO_TIME if m is None else m.local + m.length - 1 for m in moments]
        return Queries.of([self.questions[r].question for r in rows], times)


@dataclass(frozen=True)
class Pass:
    """One batch of questions that went through a pipeline, with everything that a diagnosis reads.

    Attributes:
        task: the history and its questions.
        rows: the questions of the batch, as positions in the task.
        memory: what was searched.
        run: the rankings after every stage.
        contexts: the final contexts, one a question.
        seconds: time a question.
    """

    task: Task
    rows: tuple[int, ...]
    memory: Memory
    run: Run
    contexts: Sequence[Context]
    seconds: float

    @cached_property
    def where(self) -> RecordIndex:
        """Which units show which records."""
        return RecordIndex(self.memory.history, self.memory.stores.values())

    @cached_property
    def excerpts(self) -> list[Excerpts]:
        """What is shown of units that policies noted, shape (questions of the batch,)."""
        return excerpts_of(self.run.steps, self.task.queries(self.rows), self.memory)


@dataclass
class Runner:
    """Runs designs over tasks.

    Attributes:
        budget: tokens of context.
        services: cache, counter, embedder and helper, shared by all designs.
        view: whether a question sees the whole history or only what was known when it was asked.
        answerer: who answers; ``None`` leaves answers out.
        judge: who says whether an answer is right where typed equality cannot; ``None`` leaves that open.
    """

    budget: int = DEFAULT_BUDGET
    services: Services = field(default_factory=Services)
    view: HistoryView = "all"
    answerer: Answerer | None = None
    judge: Judge | None = None

    def passes(self, design: Design, task: Task, rows: Sequence[int]) -> list[Pass]:
        """Search and build contexts, one batch a snapshot of the history."""
        pipeline = compile_design(design, self.budget, self.services)
        by_snapshot: dict[str, list[int]] = {}
        for row in rows:
            moment = task.asked[row] if self.view == "as_of" else None
            by_snapshot.setdefault(moment.text if moment else "", []).append(row)
        return [self._pass(pipeline, task, own) for own in by_snapshot.values()]

    def _pass(self, pipeline: Pipeline, task: Task, rows: list[int]) -> Pass:
        began = perf_counter()
        history = task.snapshot(task.asked[rows[0]] if self.view == "as_of" else None)
        memory = pipeline.open(history)
        queries = task.queries(rows)
        run = pipeline.search(memory, queries)
        contexts = pipeline.contexts(memory, run, queries)
        return Pass(task, tuple(rows), memory, run, contexts, (perf_counter() - began) / max(1, len(rows)))

    def results(
        self, design: Design, task: Task, rows: Sequence[int], label: str | None = None
    ) -> list[QuestionResult]:
        """The results of those questions, in their order; of each one result a replicate.

        Args:
            design: what to evaluate.
            task: the history and its questions.
            rows: positions of the questions in the task.
            label: the design's name in the results; its hash where not given.
        """
        made = self.results_by_row(label or design.hash, design, self.passes(design, task, rows))
        return [result for row in rows for result in made[row]]

    def results_by_row(self, label: str, design: Design, passes: Sequence[Pass]) -> dict[int, list[QuestionResult]]:
        """The results of batches that went through a pipeline, by position in the task; one a replicate.

        Args:
            label: the design's name in the results.
            design: the design.
            passes: the batches, all of one task; what they ask is asked together.
        """
        answers = self.answers(design, passes)
        made: dict[int, list[QuestionResult]] = {}
        for done in passes:
            for i, row in enumerate(done.rows):
                result = self.result(label, done, i)
                given = answers.get(row)
                made[row] = [result] if given is None else _with_answers(result, done.task.questions[row], given)
        return made

    def answers(self, design: Design, passes: Sequence[Pass]) -> dict[int, tuple[Answered, ...]]:
        """The answers to all questions of the batches, by position in the task; none where nobody answers."""
        if self.answerer is None:
            return {}
        asked = {
            row: (done.task.questions[row], context)
            for done in passes
            for row, context in zip(done.rows, done.contexts, strict=True)
        }
        given = answered(design, self.answerer, self.judge, self.services, list(asked.values()))
        return dict(zip(asked, given, strict=True))

    def result(self, label: str, done: Pass, i: int) -> QuestionResult:
        """What the context of question ``i`` of a batch holds; its answer is left out.

        Args:
            label: the design's name in the results.
            done: the batch.
            i: position in the batch.
        """
        task, context, row = done.task, done.contexts[i], done.rows[i]
        question = task.questions[row]
        shown = {record for unit in context.units for record in unit.records}
        found = evidence.present(task.golds, row, context.text, shown)
        return QuestionResult(
            design=label,
            question_id=question.id,
            history=task.name,
            question=question.question,
            type=question.type,
            context=context.text,
            context_tokens=context.tokens,
            units=context.units,
            evidence=tuple(_evidence(done, i, e.record, ok) for e, ok in zip(question.evidence, found, strict=True)),
            evidence_recall=evidence.evidence_recall(task.golds, row, found),
            answer_recall=answer_recall.answer_recall(task.answers, row, context.text),
            answer_stated=task.stated[row],
            seconds=done.seconds,
        )


def _evidence(done: Pass, i: int, record: str, ok: bool) -> EvidenceResult:
    if ok:
        return EvidenceResult(record, present=True)
    row = done.memory.history.row.get(record)
    path, rank = None, None
    if row is not None:
        path, rank = lost_at(done.run.steps, i, row, done.where.units_of_row(row), done.excerpts[i])
    return EvidenceResult(record, present=False, lost_at=path, rank=rank)


def _with_answers(result: QuestionResult, question: Question, given: Sequence[Answered]) -> list[QuestionResult]:
    return [with_answer(result, question, one, replicate) for replicate, one in enumerate(given)]
