"""What a learned policy sees of candidates: named features, each against what is usual in the memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from designsearch.dsl.design import RAW
from designsearch.dsl.problems import UserError
from designsearch.runtime.feature_names import feature_of
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import FloatArray, IntArray, Queries, Rankings

SAMPLE = 4_000
"""Units, evenly spaced over the memory, that say what is usual; all of a memory that is not larger."""

Asked = tuple[str, int]
"""A question and when it was asked."""


def check_views(names: Sequence[str], views: Sequence[str]) -> None:
    """Make sure that every view that features read is there.

    Args:
        names: of the features, as ``score`` names them.
        views: of the store that they are read from.

    Raises:
        UserError: one is not there.
    """
    for name in names:
        _, params = feature_of(name)
        view = getattr(params, "view", RAW)
        if view not in views:
            raise UserError(
                f"the weights use the feature {name}, but the store has no view {view} (it has"
                f" {', '.join(views)}); add the view to storage, or train a policy for this design"
            )


@dataclass(frozen=True, slots=True)
class _Known:
    """Features of some units for one question.

    Attributes:
        units: shape (units,), rising.
        values: shape (units, features), normalised.
        mean, spread: shape (features,), of the sample.
    """

    units: IntArray
    values: FloatArray
    mean: FloatArray
    spread: FloatArray


class Sight:
    """Computes features in batches and keeps them.

    The value of a feature is (value - mean) / standard deviation over a sample of the memory, not over the candidates:
    so that it means the same whatever was searched for, and in each of several searches.

    Args:
        memory: whose units are seen.
        names: of the features, as ``score`` names them.

    Raises:
        UserError: a feature reads a view that the memory lacks.
    """

    def __init__(self, memory: Memory, names: Sequence[str]) -> None:
        self.memory = memory
        self.names = tuple(names)
        check_views(names, memory.store(None).views)
        self._features = [feature_of(name) for name in names]
        self._known: dict[Asked, _Known] = {}
        size = memory.size
        self._sample = np.unique(np.linspace(0, max(0, size - 1), min(size, SAMPLE)).astype(np.int64))

    def prepare(self, asked: Sequence[Asked], units: Sequence[IntArray]) -> None:
        """Compute what is not known yet, in one batch.

        Args:
            asked: questions, each once.
            units: shape (candidates,) a question, global ids.
        """
        new = [one for one in asked if one not in self._known]
        for one, raw in zip(new, self._raw(new, [self._sample] * len(new)), strict=True):
            mean, spread = _usual(raw)
            spread = np.where(spread > 1e-9, spread, 1.0)
            self._known[one] = _Known(self._sample, (raw - mean) / spread, mean, spread)
        wanting = [
            (one, missing)
            for one, own in zip(asked, units, strict=True)
            if len(missing := np.setdiff1d(own, self._known[one].units))
        ]
        raws = self._raw([one for one, _ in wanting], [missing for _, missing in wanting])
        for (one, missing), raw in zip(wanting, raws, strict=True):
            self._known[one] = _with(self._known[one], missing, raw)

    def of(self, asked: Asked, units: IntArray) -> FloatArray:
        """Shape (units, features): features of units that :meth:`prepare` was given."""
        known = self._known[asked]
        return known.values[np.searchsorted(known.units, units)]

    def _raw(self, asked: Sequence[Asked], units: Sequence[IntArray]) -> list[FloatArray]:
        if not asked:
            return []
        queries = Queries.of([question for question, _ in asked], [as_of for _, as_of in asked])
        ranking = Rankings.of([(own, np.zeros(len(own))) for own in units])
        columns = [found.function(params, ranking, queries, self.memory) for found, params in self._features]
        table = np.stack(columns, axis=1) if columns else np.zeros((len(ranking.ids), 0))
        return [table[a:b].astype(np.float64) for a, b in zip(ranking.offsets[:-1], ranking.offsets[1:], strict=True)]


def _usual(raw: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation of each feature, shape (features,); 0 and 1 where there is no unit."""
    if not len(raw):
        return np.zeros(raw.shape[1]), np.ones(raw.shape[1])
    return raw.mean(axis=0), raw.std(axis=0)


def _with(known: _Known, units: IntArray, raw: FloatArray) -> _Known:
    joined = np.concatenate([known.units, units])
    order = np.argsort(joined, kind="stable")
    values = np.concatenate([known.values, (raw - known.mean) / known.spread])
    return _Known(joined[order], values[order], known.mean, known.spread)
