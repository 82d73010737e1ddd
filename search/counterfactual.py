"""What would have made a wrong answer right: one thing repaired at a time, and the question asked again.

It checks a diagnosis by its consequences: where the answer stays wrong with the evidence alone before it, no change of
storage or retrieval would have helped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from designsearch.dsl.design import Design
from designsearch.runtime.context import build_contexts
from designsearch.runtime.models.base import Answerer
from designsearch.runtime.records import Context, IntArray, Rankings
from designsearch.search.answered import answered
from designsearch.search.evaluate import Pass, Runner, Task
from designsearch.search.judge import majority
from designsearch.search.references import reference_passes

REPAIRS = {
    "evidence_first": "the missing records ranked first, where they are stored",
    "evidence_added": "the evidence put before the context, budget or not",
    "evidence_alone": "the evidence alone, the rest of the context removed",
}
"""The repairs with what each does, the least intrusive one first."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """What repairs do for one wrongly answered question.

    Attributes:
        question_id: the question's id within its history.
        history: the history's name.
        outcome: by repair, whether the answer is right then, of several answers most; ``None`` where it cannot be told
            or does not apply.
    """

    question_id: str
    history: str
    outcome: dict[str, bool | None]

    @property
    def by(self) -> str:
        """The first single repair that makes the answer right; empty where none does."""
        return next((name for name, right in self.outcome.items() if right), "")


def repair(runner: Runner, answers: Answerer, design: Design, task: Task, rows: Sequence[int]) -> list[Repaired]:
    """Repair the contexts of some questions and ask them again.

    Args:
        runner: runs the design; its judge says what typed equality cannot.
        answers: who answers; all questions with all repairs in one batch.
        design: the design.
        task: the history and its questions.
        rows: positions of wrongly answered questions.

    Returns:
        One entry a question, in the order of ``rows``.
    """
    silent = replace(runner, answerer=None)
    alone = {
        row: context
        for done in reference_passes(silent, task, rows, "oracle")
        for row, context in zip(done.rows, done.contexts, strict=True)
    }
    contexts: dict[tuple[int, str], Context | None] = {}
    for done in silent.passes(design, task, rows):
        first = list(_evidence_first(silent, design, done))
        for i, row in enumerate(done.rows):
            contexts[row, "evidence_first"] = first[i]
            contexts[row, "evidence_added"] = _added(runner, alone[row], done.contexts[i])
            contexts[row, "evidence_alone"] = alone[row] if alone[row].units else None
    asked = {place: (task.questions[place[0]], one) for place, one in contexts.items() if one is not None}
    given = answered(design, answers, runner.judge, runner.services, list(asked.values()))
    right = {place: majority([one.correct for one in own]) for place, own in zip(asked, given, strict=True)}
    return [
        Repaired(task.questions[row].id, task.name, {name: right.get((row, name)) for name in REPAIRS}) for row in rows
    ]


def _evidence_first(runner: Runner, design: Design, done: Pass) -> Iterator[Context | None]:
    """Each question's context with the stored units of its missing records ranked first; ``None`` where none is."""
    missing = [_missing(runner, done, i) for i in range(len(done.rows))]
    rows, excerpts = [], []
    for i, units in enumerate(missing):
        ids, scores = done.run.ranking.of_question(i)
        rest = ~np.isin(ids, units)
        top = np.full(len(units), scores.max(initial=0.0))
        rows.append((np.concatenate([units, ids[rest]]), np.concatenate([top, scores[rest]])))
        excerpts.append({unit: one for unit, one in done.excerpts[i].items() if unit not in units})
    queries = done.task.queries(done.rows)
    built = build_contexts(design.context, done.memory, Rankings.of(rows), queries, runner.budget, excerpts)
    yield from (context if len(units) else None for units, context in zip(missing, built, strict=True))


def _missing(runner: Runner, done: Pass, i: int) -> IntArray:
    found = runner.result("", done, i).evidence
    units = [done.where.units_of(one.record) for one in found if not one.present]
    return np.unique(np.concatenate([np.zeros(0, np.int64), *units]))


def _added(runner: Runner, evidence: Context, context: Context) -> Context | None:
    if not evidence.units:
        return None
    text = "\n".join(part for part in (evidence.text, context.text) if part)
    tokens = int(runner.services.counter.count_all([text])[0])
    return Context(text, tokens, (*evidence.units, *context.units))
