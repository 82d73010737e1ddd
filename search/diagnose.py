"""Why a question failed: the storage, the retrieval or the answering.

Asked in this order of a wrong answer (with an evidence objective: of a question that is not covered):

1. every gold record is in the final context: *answering*;
2. some missing record is in no stored unit, word for word and with its provenance: *storage*. The store itself is
   asked, never the retriever under test. What a model wrote counts as stored where it holds the content words, numbers
   and dates;
3. else *retrieval*: the record was ``not_retrieved``, ``cut`` (ranked, then dropped by a later stage or the budget) or
   ``altered`` (shown, but not word for word); of a policy also ``stopped_early`` (not found, with searches left) or
   ``not_kept`` (found, and no note was written of it).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from designsearch.dsl.design import Design
from designsearch.runtime.records import Question
from designsearch.search.contracts import Category, Failure, GoldRecord
from designsearch.search.evaluate import Pass, Runner, Task
from designsearch.search.metrics.evidence import Gold, verbatim, words_of
from designsearch.search.metrics.holding import holds
from designsearch.search.metrics.typed import as_text
from designsearch.search.results import EvidenceResult, QuestionResult

BY_FATE = {"stop": "stopped_early", "extract": "not_kept"}
"""The kinds of failure that only a policy has, by the part of it that lost the record."""


def diagnose(runner: Runner, design: Design, task: Task, rows: Sequence[int], objective: str) -> list[Failure]:
    """The failures of a design on some questions of a history, in the order of the questions.

    A question that was answered several times failed where one of its answers is wrong: the objective is their mean,
    and whatever could raise it is worth knowing. The first wrong answer stands for it.

    Args:
        runner: runs the design; what it computed before is found in its cache.
        design: the design.
        task: the history and its questions.
        rows: positions of the questions in the task.
        objective: ``accuracy`` diagnoses wrong answers; an evidence metric, questions that are not covered.
    """
    found: dict[int, Failure] = {}
    passes = runner.passes(design, task, rows)
    results = runner.results_by_row(design.hash, design, passes)
    for done in passes:
        for row in done.rows:
            failed = next((result for result in results[row] if _failed(result, objective)), None)
            if failed is not None:
                found[row] = _failure(done, row, failed)
    return [found[row] for row in rows if row in found]


def _failed(result: QuestionResult, objective: str) -> bool:
    if objective == "accuracy":
        return result.correct is False
    return result.evidence_recall is not None and result.evidence_recall < 1


def _failure(done: Pass, row: int, result: QuestionResult) -> Failure:
    question = done.task.questions[row]
    golds = done.task.golds.golds[row]
    shown = {record for unit in result.units for record in unit.records}
    records = tuple(_record(done, question, n, golds[n], e, shown) for n, e in enumerate(result.evidence))
    category, first = _category(records)
    return Failure(
        question_id=question.id,
        history=done.task.name,
        question=question.question,
        gold=as_text(question.answer),
        category=category,
        kind=first.kind if first else "",
        lost_at=first.lost_at if first else "",
        rank=first.rank if first else None,
        evidence=records,
        answer=result.answer,
        type=question.type,
        context_tokens=result.context_tokens,
        context_roles=_roles(done, result),
    )


def _category(records: Sequence[GoldRecord]) -> tuple[Category, GoldRecord | None]:
    missing = [record for record in records if not record.present]
    for record in missing:
        if record.kind == "not_stored":
            return "storage", record
    return ("retrieval", missing[0]) if missing else ("answering", None)


def _record(done: Pass, question: Question, n: int, gold: Gold, result: EvidenceResult, shown: set[str]) -> GoldRecord:
    history = done.memory.history
    row = history.row.get(result.record)
    quote = question.evidence[n].quote
    text = quote if quote is not None else history.texts[row] if row is not None else ""
    return GoldRecord(
        record=result.record,
        text=text,
        role=history.roles[row] if row is not None else "",
        source=history.sources[row] if row is not None else "",
        present=result.present,
        kind="" if result.present else _kind(done, gold, text, result, shown),
        lost_at=result.lost_at or "",
        rank=result.rank,
    )


def _kind(done: Pass, gold: Gold, text: str, result: EvidenceResult, shown: set[str]) -> str:
    if not any(_recoverable(done, int(unit), gold, text) for unit in done.where.units_of(result.record)):
        return "not_stored"
    if result.record in shown:
        return "altered"
    of_policy = BY_FATE.get((result.lost_at or "").rpartition(".")[2])
    return of_policy or ("not_retrieved" if result.rank is None else "cut")


def _recoverable(done: Pass, unit: int, gold: Gold, text: str) -> bool:
    """Whether a unit of the record says what the gold text says."""
    stored = done.memory.text(unit)
    if verbatim(gold.sentences, words_of(stored)):
        return True
    store = done.memory.stores[done.memory.source_of(unit)[0]]
    return store.units.written and holds(stored, text)


def _roles(done: Pass, result: QuestionResult) -> dict[str, float]:
    """Share of the shown text by role, from the lengths of the shown records."""
    history = done.memory.history
    sizes: Counter[str] = Counter()
    for unit in result.units:
        for record in unit.records:
            row = history.row[record]
            sizes[history.roles[row]] += len(history.texts[row])
    total = sum(sizes.values())
    return {role: size / total for role, size in sorted(sizes.items())} if total else {}
