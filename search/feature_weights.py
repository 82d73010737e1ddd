"""Weights of few features that rank evidence first on questions they were not fitted on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from designsearch.runtime.records import FloatArray, IntArray
from designsearch.search.conditional_logit import Candidates, fit, loss
from designsearch.search.feature_table import FeatureTable

FOLDS = 4
"""Groups of questions where there are fewer than three histories."""

ENOUGH = 3
"""Histories from which on each is a fold of its own: weights should hold for users that were not seen."""

FEWEST = 4
"""Features that are never gone below."""

SHRINK = 0.8
"""Share of the features that each round of the elimination keeps."""

TOLERANCE = 0.005
"""Share by which fewer features may do worse than the best set and still be preferred."""


class NothingToLearnError(ValueError):
    """Questions and candidates from which no weights follow."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Weights by feature, with their cross-validated loss a question."""

    weights: dict[str, float]
    loss: float
    questions: int


def fit_weights(table: FeatureTable, l2: float, *, few: bool = True) -> Fitted:
    """Fit weights, and where ``few`` is set drop the smallest as long as held-out questions do not suffer.

    The features are normalised, so the size of a weight says what the feature contributes; a fifth of them is dropped
    a round, weights are refitted, and the smallest set whose cross-validated loss lies within 0.5 % of the best wins.

    Raises:
        NothingToLearnError: no training question has both a candidate with evidence and one without, or no feature
            tells any two candidates apart.
    """
    _check(table)
    tried: list[tuple[float, IntArray, FloatArray]] = []
    for columns, weights in _rounds(table, l2, few):
        tried.append((_held_out(table.data.columns(columns), table.histories, l2, weights), columns, weights))
    if not tried:
        raise NothingToLearnError("no feature tells candidates with evidence from others: all are alike")
    best = min(value for value, _, _ in tried)
    value, columns, weights = [entry for entry in tried if entry[0] <= best * (1 + TOLERANCE)][-1]
    return _fitted(table, columns, weights, value)


def adapt_weights(table: FeatureTable, l2: float, known: Mapping[str, float]) -> Fitted:
    """Weights that were learnt elsewhere, moved as far as these questions ask for: maximum a posteriori around them.

    Args:
        table: the candidates of the questions at hand.
        l2: how firmly the known weights are held to.
        known: weights by feature; features that the table lacks fall away.

    Raises:
        NothingToLearnError: as :func:`fit_weights`; or the table has none of the features.
    """
    _check(table)
    columns = np.array([c for c, name in enumerate(table.names) if name in known], np.int64)
    if not len(columns):
        raise NothingToLearnError("none of the known features can be computed here")
    toward = np.array([known[table.names[c]] for c in columns.tolist()])
    data = table.data.columns(columns)
    weights = fit(data, l2, toward=toward)
    return _fitted(table, columns, weights, _held_out(data, table.histories, l2, weights, toward))


def _check(table: FeatureTable) -> None:
    if len(table.histories) == 0:
        raise NothingToLearnError("no training question has candidates with evidence and candidates without")


def _fitted(table: FeatureTable, columns: IntArray, weights: FloatArray, value: float) -> Fitted:
    named = {table.names[c]: float(f"{w:.3g}") for c, w in zip(columns.tolist(), weights.tolist(), strict=True)}
    ordered = dict(sorted(named.items(), key=lambda item: -abs(item[1])))
    return Fitted({name: weight for name, weight in ordered.items() if weight}, value, len(table.histories))


def _rounds(table: FeatureTable, l2: float, few: bool) -> Iterator[tuple[IntArray, FloatArray]]:
    """Ever smaller sets of columns with their weights; features that never vary are left out from the start."""
    columns = np.flatnonzero(table.data.features.std(axis=0) > 1e-9)
    start = np.zeros(len(columns))
    while len(columns):
        weights = fit(table.data.columns(columns), l2, start)
        yield columns, weights
        if not few or len(columns) <= FEWEST:
            return
        keep = np.sort(np.argsort(-np.abs(weights), kind="stable")[: max(FEWEST, int(len(columns) * SHRINK))])
        columns, start = columns[keep], weights[keep]


def _held_out(
    data: Candidates, histories: IntArray, l2: float, start: FloatArray, toward: FloatArray | None = None
) -> float:
    """Mean loss a question on folds that the weights were not fitted on."""
    names = np.unique(histories)
    folds = histories if len(names) >= ENOUGH else np.arange(len(histories)) % FOLDS
    total = 0.0
    for fold in np.unique(folds):
        inside = np.flatnonzero(folds != fold)
        outside = np.flatnonzero(folds == fold)
        if len(inside) and len(outside):
            weights = fit(data.select(inside), l2 * len(inside) / len(histories), start, toward=toward)
            held = data.select(outside)
            total += loss(weights, held, held.shares)[0]
    return total / len(histories)
