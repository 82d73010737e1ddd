"""One metric of one design, question by question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from designsearch.search.results import Key, QuestionResult


@dataclass(frozen=True, slots=True)
class Scores:
    """One metric of one design, question by question.

    Attributes:
        measured: the value of each question that has one, the mean over its replicates.
        unmeasured: the questions that should have one and have none, in order of appearance.
        not_applicable: number of questions that the metric says nothing about.
    """

    measured: dict[Key, float]
    unmeasured: tuple[Key, ...] = ()
    not_applicable: int = 0


def scores(results: Iterable[QuestionResult], metric: str) -> Scores:
    """Collect one metric from the results of one design."""
    values: dict[Key, list[float]] = {}
    applicable: set[Key] = set()
    for result in results:
        found = values.setdefault(result.key, [])
        value = result.value(metric)
        if value is not None:
            found.append(value)
        if result.applies(metric):
            applicable.add(result.key)
    return Scores(
        measured={key: sum(found) / len(found) for key, found in values.items() if found},
        unmeasured=tuple(key for key, found in values.items() if not found and key in applicable),
        not_applicable=sum(key not in applicable for key in values),
    )
