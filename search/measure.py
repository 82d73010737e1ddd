"""Run a design on a share of the questions and say what it scored, or why it has no score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from designsearch.dsl.design import Design
from designsearch.dsl.problems import CannotContinueError, OutOfBudgetError, UserError
from designsearch.search.contracts import Evaluator, Part
from designsearch.search.results import QuestionResult, finite
from designsearch.search.scores import scores
from designsearch.search.spent import Spent

MOST_FAILED = 0.5
"""The largest share of a base's questions that may have failed where no test of significance forbids more."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of running a design.

    Attributes:
        results: one a question; empty where it crashed.
        value: mean of the objective over the questions measured; ``None`` where there is none.
        decision: ``crashed`` or ``not_measured`` where there is no value, else empty.
        cause: why there is no value.
        bug: what nobody foresaw; ``None`` where the cause is known.
        spent: what it took.
    """

    results: Sequence[QuestionResult]
    value: float | None
    decision: str
    cause: str
    bug: Exception | None
    spent: Spent


def measure(evaluator: Evaluator, design: Design, part: Part, objective: str) -> Measured:
    """Run a design. A crash is a result like others: one bad revision must not end a study.

    Raises:
        OutOfBudgetError: a cap on models was reached; that is no fault of the design.
        CannotContinueError: a model cannot be asked (no server, a refused key), which is none either.
        OSError: the system failed (no space left), which is none either.
    """
    began = perf_counter()
    try:
        results = list(evaluator.evaluate(design, part) or [])
    except (OutOfBudgetError, CannotContinueError, OSError):
        raise
    except UserError as error:
        return Measured([], None, "crashed", str(error), None, Spent(seconds=perf_counter() - began))
    except Exception as error:
        cause = f"{type(error).__name__}: {error}"
        return Measured([], None, "crashed", cause, error, Spent(seconds=perf_counter() - began))
    spent = Spent(
        seconds=perf_counter() - began,
        calls=sum(result.calls for result in results),
        usd=sum(finite(result.cost) or 0.0 for result in results),
    )
    value = score(results, objective)
    if value is None:
        return Measured(results, None, "not_measured", _unmeasured(results, objective), None, spent)
    return Measured(results, value, "", "", None, spent)


def score(results: Sequence[QuestionResult], objective: str) -> float | None:
    """Mean of the objective over the questions measured; ``None`` where none was."""
    measured = scores(results, objective).measured
    return sum(measured.values()) / len(measured) if measured else None


def mostly_failed(results: Sequence[QuestionResult], objective: str, limit: float) -> str:
    """What failed, where it was a larger share of the questions than ``limit``; else empty.

    What is left says little about the design: it is the questions that happened to get through.
    """
    found = scores(results, objective)
    errors = {result.key: result.error for result in results if result.error}
    failed = [key for key in found.unmeasured if key in errors]
    asked = len(found.measured) + len(found.unmeasured)
    if len(failed) <= limit * asked:
        return ""
    return f"{objective} failed on {len(failed)} of {asked} questions; the first error: {errors[failed[0]]}"


def _unmeasured(results: Sequence[QuestionResult], objective: str) -> str:
    if not results:
        return "the evaluation gave no results"
    errors = [result.error for result in results if result.error]
    detail = f"; the first error: {errors[0]}" if errors else ""
    return f"{objective} was measured on none of {len(results)} questions{detail}"
