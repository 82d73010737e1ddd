"""The results of one design, added up: what was measured, on how many questions, how surely, at what price.

What was not measured is counted and named. It never enters a mean, neither as 0 nor as NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from designsearch.search.intervals import Interval, over_questions, over_users
from designsearch.search.results import MAIN_METRICS, Key, QuestionResult, finite
from designsearch.search.scores import Scores, scores


@dataclass(frozen=True, slots=True)
class Group:
    """A metric on some of the questions.

    Attributes:
        count: questions measured.
        mean: over those; ``None`` where there are none.
        unmeasured: questions that should have been measured and were not.
    """

    count: int
    mean: float | None
    unmeasured: int


@dataclass(frozen=True, slots=True)
class MetricSummary:
    """One metric over all questions.

    Attributes:
        metric: its name.
        count: questions measured.
        mean: over those; ``None`` where there are none.
        unmeasured: the questions that should have been measured and were not.
        not_applicable: number of questions that the metric says nothing about.
        interval: of the mean, questions resampled: "this user". ``None`` for fewer than two questions.
        users_interval: of the mean, users and their questions resampled: "users like these". ``None`` for one user.
        by_type: by the data set's own kind of question.
        by_history: by history, that is by user.
    """

    metric: str
    count: int
    mean: float | None
    unmeasured: tuple[Key, ...]
    not_applicable: int
    interval: Interval | None
    users_interval: Interval | None
    by_type: dict[str, Group]
    by_history: dict[str, Group]


@dataclass(frozen=True, slots=True)
class Report:
    """All that was measured of one design.

    Attributes:
        design: its name or hash.
        questions: number of questions.
        metrics: by name, the headline ones first; a metric that applies to no question is left out.
        mean_context_tokens, max_context_tokens: length of the contexts.
        seconds_p50, seconds_p95: median and 95th percentile of the time a question; ``None`` where none was answered.
        calls: model calls made in all.
        cost: in US dollars, in all.
        errors: number of lines with an error.
    """

    design: str
    questions: int
    metrics: dict[str, MetricSummary]
    mean_context_tokens: float | None
    max_context_tokens: int
    seconds_p50: float | None
    seconds_p95: float | None
    calls: int
    cost: float
    errors: int

    def to_json(self) -> dict[str, Any]:
        """Plain JSON without NaN; unmeasured questions as ``history/id``."""
        line = asdict(self)
        for name, summary in self.metrics.items():
            line["metrics"][name]["unmeasured"] = [str(key) for key in summary.unmeasured]
            for which in ("interval", "users_interval"):
                interval: Interval | None = getattr(summary, which)
                line["metrics"][name][which] = interval._asdict() if interval else None
        return line


def report(results: Sequence[QuestionResult], *, seed: int = 0) -> Report:
    """Add up the results of one design.

    Args:
        results: one or more lines a question (replicates are averaged first), all of the same design.
        seed: of the intervals' resampling.

    Raises:
        ValueError: the results are of several designs, or there are none.
    """
    designs = {result.design for result in results}
    if len(designs) != 1:
        raise ValueError(f"a report needs the results of one design, not of {len(designs)}")
    built = [result for result in results if result.context or not result.error]
    seconds = [s for r in results if not r.error and (s := finite(r.seconds)) is not None]
    return Report(
        design=designs.pop(),
        questions=len({result.key for result in results}),
        metrics=_summaries(results, seed),
        mean_context_tokens=float(np.mean([r.context_tokens for r in built])) if built else None,
        max_context_tokens=max((r.context_tokens for r in built), default=0),
        seconds_p50=float(np.percentile(seconds, 50)) if seconds else None,
        seconds_p95=float(np.percentile(seconds, 95)) if seconds else None,
        calls=sum(r.calls for r in results),
        cost=sum(finite(r.cost) or 0.0 for r in results),
        errors=sum(bool(r.error) for r in results),
    )


def summarise(metric: str, found: Scores, types: dict[Key, str], *, seed: int = 0) -> MetricSummary:
    """Sum up one metric.

    Args:
        metric: its name.
        found: its value question by question.
        types: the kind of each question.
        seed: of the intervals' resampling.
    """
    values = list(found.measured.values())
    users = [key.history for key in found.measured]
    return MetricSummary(
        metric=metric,
        count=len(values),
        mean=_mean(values),
        unmeasured=found.unmeasured,
        not_applicable=found.not_applicable,
        interval=over_questions(values, seed=seed),
        users_interval=over_users(values, users, seed=seed),
        by_type=_breakdown(found, lambda key: types[key]),
        by_history=_breakdown(found, lambda key: key.history),
    )


def _summaries(results: Sequence[QuestionResult], seed: int) -> dict[str, MetricSummary]:
    types = {result.key: result.type for result in results}
    further = sorted({name for result in results for name in result.metrics} - set(MAIN_METRICS))
    answered = any(result.answer is not None or result.correct is not None or result.error for result in results)
    found = {name: scores(results, name) for name in (*MAIN_METRICS, *further) if name != "accuracy" or answered}
    return {
        name: summarise(name, one, types, seed=seed) for name, one in found.items() if one.measured or one.unmeasured
    }


def _breakdown(found: Scores, group_of: Callable[[Key], str]) -> dict[str, Group]:
    """By group, in order of the groups' names."""
    values: dict[str, list[float]] = {}
    missing: dict[str, int] = {}
    for key, value in found.measured.items():
        values.setdefault(group_of(key), []).append(value)
    for key in found.unmeasured:
        missing[group_of(key)] = missing.get(group_of(key), 0) + 1
    return {
        name: Group(len(values.get(name, [])), _mean(values.get(name, [])), missing.get(name, 0))
        for name in sorted(values.keys() | missing.keys())
    }


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
