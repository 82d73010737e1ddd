"""Supervised learning of what to keep: a selector of candidates, and how much evidence the next candidate brings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from scipy.optimize import minimize

from designsearch.runtime.episodes.states import Candidate, State
from designsearch.runtime.pipeline import run_cascade
from designsearch.runtime.policies.heads import GO_ON, go_on_features
from designsearch.runtime.policies.weights import Weights
from designsearch.runtime.policies.window import Window
from designsearch.runtime.records import FloatArray, IntArray, Queries, Query
from designsearch.search.conditional_logit import Candidates
from designsearch.search.feature_table import FeatureTable
from designsearch.search.feature_weights import NothingToLearnError, fit_weights
from designsearch.search.training.learned.bench import Bench

STATIC = ("question", "name", "date", "clause")
"""Sources whose queries need no notes: their searches give the candidates that the selector learns from."""

L2 = 1.0
SHARPNESS = 5.0
"""What an e-fold of expected evidence a candidate is worth as a log-odds of going on."""

UNREAD = ("room", "searches")
"""Features of GO_ON that one search alone says nothing about."""


def static_queries(bench: Bench, row: int) -> list[tuple[str, Query]]:
    """Every query of a question that needs no notes, with its source."""
    state = State(bench.queries.questions[row], bench.world.max_steps, int(bench.queries.as_of[row]))
    proposals = bench.desk.proposals
    return [(s, q) for s, q in proposals.all_of(state, bench.queries.queries[row], frozenset()) if s in STATIC]


def searched(bench: Bench, asked: Sequence[tuple[int, Query]]) -> list[IntArray]:
    """What a search for each query shows, shape (units,) each; questions by row."""
    batch = Queries(
        tuple(bench.queries.questions[row] for row, _ in asked),
        np.array([bench.queries.as_of[row] for row, _ in asked], np.int64),
        tuple((query,) for _, query in asked),
    )
    ranking = run_cascade(bench.memory, bench.world.search, batch).ranking
    window = Window(bench.memory, bench.world.observation_tokens)
    shown = []
    for i in range(len(asked)):
        ids, scores = ranking.of_question(i)
        found = [Candidate(u, s) for u, s in zip(ids.tolist(), scores.tolist(), strict=True)]
        shown.append(np.array([one.unit for one in window.shown(found)], np.int64))
    return shown


def pools(bench: Bench, rows: Sequence[int], sources: Sequence[str] = STATIC) -> list[IntArray]:
    """The candidates of each question: what the searches of those sources show, each unit once."""
    asked = [(row, query) for row in rows for source, query in static_queries(bench, row) if source in sources]
    by_row: dict[int, list[IntArray]] = {row: [np.zeros(0, np.int64)] for row in rows}
    for (row, _), units in zip(asked, searched(bench, asked), strict=True):
        by_row[row].append(units)
    found = [np.array(list(dict.fromkeys(np.concatenate(by_row[row]).tolist())), np.int64) for row in rows]
    keys = [(bench.queries.questions[row], int(bench.queries.as_of[row])) for row in rows]
    merged: dict[tuple[str, int], list[int]] = {}
    for key, units in zip(keys, found, strict=True):
        merged.setdefault(key, []).extend(units.tolist())
    bench.desk.sight.prepare(list(merged), [np.unique(np.array(own, np.int64)) for own in merged.values()])
    return found


def features_of(bench: Bench, row: int, units: IntArray) -> FloatArray:
    """Shape (units, features of the desk's sight)."""
    return bench.desk.sight.of((bench.queries.questions[row], int(bench.queries.as_of[row])), units)


def hits(bench: Bench, row: int, units: IntArray) -> FloatArray:
    """Shape (units,): the share of the question's evidence that each is the first to show."""
    left, gold = set(bench.gold[row]), max(1, len(bench.gold[row]))
    made = np.zeros(len(units))
    for place, unit in enumerate(units.tolist()):
        new = left & bench.shown[unit]
        made[place] = len(new) / gold
        left -= new
    return made


def fit_selector(benches: Sequence[Bench], rows: Sequence[Sequence[int]], l2: float = L2) -> Weights:
    """Weights of few features that rank candidates with evidence first, and of going on from one to the next.

    Args:
        benches: the histories.
        rows: the questions of each that are learnt from.
        l2: how strongly weights are held back.

    Returns:
        Weights that search for nothing yet (``decide`` is empty), for 1 token of notes.

    Raises:
        NothingToLearnError: no question has both a candidate with evidence and one without.
    """
    tables, gold, sizes, histories = [], [], [0], []
    for number, (bench, own) in enumerate(zip(benches, rows, strict=True)):
        for row, units in zip(own, pools(bench, own), strict=True):
            shows = np.array([bool(bench.gold[row] & bench.shown[unit]) for unit in units.tolist()], bool)
            if shows.any() and not shows.all():
                tables.append(features_of(bench, row, units))
                gold.append(shows)
                sizes.append(len(units))
                histories.append(number)
    if not tables:
        raise NothingToLearnError("no question has candidates with evidence and candidates without")
    data = Candidates(np.concatenate(tables), np.cumsum(sizes), np.concatenate(gold))
    names = benches[0].desk.sight.names
    fitted = fit_weights(FeatureTable(names, data, np.array(histories, np.int64)), l2)
    return Weights(tokens=1, selector=fitted.weights)


def fit_go_on(weights: Weights, benches: Sequence[Bench], rows: Sequence[Sequence[int]], l2: float = 1e-5) -> Weights:
    """Weights of going on: a Poisson regression of the share of evidence that the next candidate brings.

    The log-odds of going on are ``SHARPNESS`` times ln of that share; :func:`calibrated` says from which share on.
    """
    table, target = _next_ones(weights, benches, rows)
    read = np.array([name not in UNREAD for name in GO_ON])
    mean, spread = table.mean(axis=0), np.maximum(table.std(axis=0), 1e-9)
    mean[0], spread[0] = 0.0, 1.0
    scaled = (table - mean) / spread * read

    def objective(found: FloatArray) -> tuple[float, FloatArray]:
        said = np.clip(scaled @ found, -30.0, 30.0)
        expected = np.exp(said)
        value = float((expected - target * said).mean()) + l2 * float(found @ found)
        return value, scaled.T @ (expected - target) / len(target) + 2 * l2 * found

    first = np.zeros(len(GO_ON))
    first[0] = np.log(max(1e-9, float(target.mean())))
    fitted = minimize(objective, first, jac=True, method="L-BFGS-B").x / spread * read
    fitted[0] -= float(mean[1:] @ fitted[1:])
    return replace(weights, go_on=dict(zip(GO_ON, (SHARPNESS * fitted).tolist(), strict=True)))


def _next_ones(
    weights: Weights, benches: Sequence[Bench], rows: Sequence[Sequence[int]]
) -> tuple[FloatArray, FloatArray]:
    """What going on reads before each candidate of each search, best first, and the evidence that it brings."""
    table, target = [], []
    for row, bench, units in _searches(benches, rows):
        base = features_of(bench, row, units) @ _selector(weights, bench)
        order = np.argsort(-base, kind="stable").astype(np.int64)
        table.append(go_on_features(base, order, np.zeros(len(units)), 0, 1))
        target.append(hits(bench, row, units[order]))
    return np.concatenate(table), np.concatenate(target)


def _searches(benches: Sequence[Bench], rows: Sequence[Sequence[int]]) -> Iterator[tuple[int, Bench, IntArray]]:
    for bench, own in zip(benches, rows, strict=True):
        for row, units in zip(own, pools(bench, own, ("question",)), strict=True):
            if len(units):
                yield row, bench, units


def _selector(weights: Weights, bench: Bench) -> FloatArray:
    """Shape (features of the desk's sight,)."""
    return np.array([weights.selector.get(name, 0.0) for name in bench.desk.sight.names], np.float64)
