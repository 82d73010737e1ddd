"""What a policy is measured against, each with as many tokens of notes a question in the mean as any other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

import numpy as np

from designsearch.runtime.operators.retrieve.combine import combine
from designsearch.runtime.policies.queries import SOURCES
from designsearch.runtime.policies.rollout import Policy, World, rollout
from designsearch.runtime.policies.weights import STOP, Weights
from designsearch.runtime.records import FloatArray, IntArray
from designsearch.search.training.learned.bench import Bench, Outcome
from designsearch.search.training.learned.selector import features_of, pools, searched, static_queries

Ordered = tuple[Bench, int, IntArray, FloatArray]
"""A bench, a question's row, and its candidates with scores, best first."""

Shown = tuple[list[Ordered], list[int], list[int]]
"""What is ranked for each question, the tokens that were shown for it, and how many searches it took."""

HALVINGS = 24


def at_budget(
    found: Sequence[Ordered], tokens: float, observed: Sequence[int], searches: Sequence[int]
) -> list[Outcome]:
    """The first candidates of each question up to one budget of tokens, which gives ``tokens`` in the mean.

    Args:
        found: what is ranked for each question.
        tokens: wanted in the mean over questions.
        observed: tokens that were shown for each question.
        searches: searches of each question.
    """
    lengths = [np.cumsum(bench.desk.lengths(units.tolist())) for bench, _, units, _ in found]

    def kept(budget: float) -> list[int]:
        return [int(np.searchsorted(own, budget, side="right")) for own in lengths]

    return _cut(found, tokens, kept, (0.0, max((float(own[-1]) for own in lengths if len(own)), default=0.0)),
                observed, searches)  # fmt: skip


def above_share(
    found: Sequence[Ordered], tokens: float, observed: Sequence[int], searches: Sequence[int]
) -> list[Outcome]:
    """The candidates whose score is at least a share of their question's best: a cut-off of its own a question."""

    def kept(below: float) -> list[int]:
        return [int((scores >= (1.0 - below) * scores[0]).sum()) if len(scores) else 0 for _, _, _, scores in found]

    return _cut(found, tokens, kept, (0.0, 1.0), observed, searches)


def _cut(
    found: Sequence[Ordered],
    tokens: float,
    kept: Callable[[float], list[int]],
    reach: tuple[float, float],
    observed: Sequence[int],
    searches: Sequence[int],
) -> list[Outcome]:
    low, high = reach
    lengths = [bench.desk.lengths(units.tolist()) for bench, _, units, _ in found]

    def mean(level: float) -> float:
        return fmean(int(own[:count].sum()) for own, count in zip(lengths, kept(level), strict=True))

    if mean(high) <= tokens:
        low = high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if mean(middle) <= tokens else (low, middle)
    made = []
    for (bench, row, units, _), own, count, shown, times in zip(
        found, lengths, kept(low), observed, searches, strict=True
    ):
        made.append(Outcome(bench.recall(row, units[:count].tolist()), int(own[:count].sum()), shown, times))
    return made


def inner(benches: Sequence[Bench]) -> Shown:
    """What one search for the question shows, in the order of the inner cascade."""
    found: list[Ordered] = []
    for bench in benches:
        for row, units in enumerate(pools(bench, range(len(bench)), ("question",))):
            scores: FloatArray = 1.0 / (60.0 + np.arange(1, len(units) + 1, dtype=np.float64))
            found.append((bench, row, units, scores))
    return found, _observed(found), [1] * len(found)


def multi_query(benches: Sequence[Bench]) -> Shown:
    """What the searches for the question, its names, dates and clauses show, fused by reciprocal rank."""
    found: list[Ordered] = []
    observed, searches = [], []
    for bench in benches:
        asked = [(row, query) for row in range(len(bench)) for _, query in static_queries(bench, row)]
        lists: dict[int, list[tuple[IntArray, FloatArray]]] = {row: [] for row in range(len(bench))}
        for (row, _), units in zip(asked, searched(bench, asked), strict=True):
            lists[row].append((units, np.zeros(len(units))))
        for row, own in lists.items():
            units, scores = combine("rrf", own, bench.memory.size)
            found.append((bench, row, units, scores))
            observed.append(sum(int(bench.desk.lengths(shown.tolist()).sum()) for shown, _ in own))
            searches.append(len(own))
    return found, observed, searches


def selected(benches: Sequence[Bench], weights: Weights, sources: Sequence[str] = ("question",)) -> list[Ordered]:
    """What searches show, in the order of a supervised selector."""
    found: list[Ordered] = []
    for bench in benches:
        names = bench.desk.sight.names
        said = np.array([weights.selector.get(name, 0.0) for name in names], np.float64)
        for row, units in enumerate(pools(bench, range(len(bench)), sources)):
            scores: FloatArray = features_of(bench, row, units) @ said if len(units) else np.zeros(0)
            order = np.argsort(-scores, kind="stable")
            found.append((bench, row, units[order], scores[order]))
    return found


def oracle(found: Sequence[Ordered], observed: Sequence[int]) -> list[Outcome]:
    """Nothing but the evidence among what one search shows: the most that any selector could keep of it."""
    made = []
    for (bench, row, units, _), shown in zip(found, observed, strict=True):
        gold = [unit for unit in units.tolist() if bench.shown[unit] & bench.gold[row]]
        tokens = int(bench.desk.lengths(gold).sum()) if gold else 0
        made.append(Outcome(bench.recall(row, gold), tokens, shown, 1))
    return made


def untrained(tokens: int) -> Weights:
    """A policy that learnt nothing: it searches for whatever comes first, stops last, and keeps by rank."""
    decide = {name: {"always": 0.0} for name in SOURCES}
    return Weights(tokens=tokens, selector={"rank": 0.0}, go_on={"always": 1.0}, decide=decide | {STOP: {}})


def kept_in_order(benches: Sequence[Bench], make: Callable[[World], Policy]) -> Shown:
    """What another policy notes about each question, in order."""
    found: list[Ordered] = []
    observed, searches = [], []
    for bench in benches:
        for row, episode in enumerate(rollout(bench.world, make(bench.world))):
            units = np.array(list(dict.fromkeys(note.unit for note in episode.notes)), np.int64)
            found.append((bench, row, units, np.zeros(len(units))))
            observed.append(episode.observed)
            searches.append(sum(step.action.type == "search" for step in episode.steps))
    return found, observed, searches


def _observed(found: Sequence[Ordered]) -> list[int]:
    return [int(bench.desk.lengths(units.tolist()).sum()) if len(units) else 0 for bench, _, units, _ in found]
