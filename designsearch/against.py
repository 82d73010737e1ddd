"""The same designs measured on a second set of questions: whether both order them alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from designsearch.evaluation import Measured
from designsearch.search.evaluate import Runner, Task
from designsearch.search.rank_agreement import Agreement, agreement
from designsearch.search.results import QuestionResult
from designsearch.search.scores import scores

METRIC = "evidence_coverage"


@dataclass(frozen=True)
class Against:
    """Designs on two sets of questions.

    Attributes:
        source: the file or folder of the second set.
        questions: number of its questions with evidence.
        coverage: by design, the evidence coverage on the first set and on the second.
        agreement: how far both order the designs alike.
    """

    source: str
    questions: int
    coverage: dict[str, tuple[float, float]]
    agreement: Agreement

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "source": self.source,
            "questions": self.questions,
            "designs": {label: {"coverage": own, "against": other} for label, (own, other) in self.coverage.items()},
            "agreement": self.agreement.to_json(),
        }


def against(
    rows: Sequence[Measured],
    source: str,
    tasks: Sequence[Task],
    runner: Runner,
    *,
    seed: int = 0,
    tell: Callable[[str], None] = lambda _: None,
) -> Against:
    """Measure the evidence coverage of measured designs on other questions.

    Args:
        rows: what was measured; the designs as given are measured again, nothing else.
        source: where the other questions are from.
        tasks: the histories with the other questions.
        runner: budget, services and view; nothing is answered.
        seed: of the interval.
        tell: hears the name of each design before it is measured.
    """
    plain = replace(runner, answerer=None, judge=None)
    coverage: dict[str, tuple[float, float]] = {}
    asked = 0
    for row in rows:
        if row.design is None or row.kind != "design":
            continue
        tell(f"{row.label}, {source}")
        results = [r for task in tasks for r in plain.results(row.design, task, range(len(task.questions)), row.label)]
        own, other = _values(row.results), _values(results)
        asked = len(other)
        if own and other:
            coverage[row.label] = (sum(own) / len(own), sum(other) / len(other))
    first = {label: own for label, (own, _) in coverage.items()}
    second = {label: other for label, (_, other) in coverage.items()}
    return Against(source, asked, coverage, agreement(first, second, seed=seed))


def _values(results: Iterable[QuestionResult]) -> list[float]:
    return list(scores(results, METRIC).measured.values())
