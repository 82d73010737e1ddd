"""The features of the candidates of a study's training questions, with which of them show evidence."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.operators import Registry
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.refine.score import batch_key, cached_feature
from designsearch.runtime.records import IntArray, Rankings
from designsearch.search.conditional_logit import Candidates
from designsearch.search.evaluate import Pass

FIRST = 150
"""Best ranked candidates of a question that are learnt from, whatever they are."""

FURTHER = 150
"""Others, drawn at random: without easy negatives the weights of what tells them apart are not learnt."""

LONG_WORDS = 150
"""Mean words of a view from which on words are no longer compared one by one (``soft_terms``)."""


@dataclass(frozen=True, slots=True)
class FeatureTable:
    """Candidates with named features.

    Attributes:
        names: the features, in the order of the columns.
        data: the candidates.
        histories: shape (questions,): number of the history that each question is about.
    """

    names: tuple[str, ...]
    data: Candidates
    histories: IntArray


def feature_names(registry: Registry, memory: Memory) -> list[str]:
    """Every feature there is, those that read a view once for each view of the first store."""
    store = memory.store(None)
    names = []
    for name in registry.names("features"):
        operator = registry.get("features", name)
        if operator is None or "view" not in operator.params.model_fields:
            names.append(name)
            continue
        for view in store.views:
            if name == "soft_terms" and _mean_words(memory, view) > LONG_WORDS:
                continue
            names.append(name if view == "raw" else f"{name}.{view}")
    return names


def _mean_words(memory: Memory, view: str) -> float:
    lengths = memory.store(None).corpus(view, "none", "english").lengths
    return float(lengths.mean()) if len(lengths) else 0.0


def feature_table(passes: Sequence[Pass], step: int, names: Sequence[str], chance: random.Random) -> FeatureTable:
    """Compute features on what a stage of the cascade left.

    Args:
        passes: training questions that went through the design.
        step: index of the stage whose ranking holds the candidates.
        names: the features.
        chance: draws the further candidates.

    Returns:
        The questions that have at least one candidate with evidence and one without.
    """
    parts, histories = [], []
    for number, done in enumerate(passes):
        ranking = done.run.steps[step].ranking
        if ranking is None:
            continue
        part = _part(done, ranking, names, chance)
        parts.append(part)
        histories += [number] * (len(part.offsets) - 1)
    return FeatureTable(tuple(names), _joined(parts, len(names)), np.array(histories, np.int64))


def _part(done: Pass, ranking: Rankings, names: Sequence[str], chance: random.Random) -> Candidates:
    queries = done.run.steps[-1].queries
    gold = _gold(done, ranking)
    rows, offsets = _drawn(ranking, gold, chance)
    batch = batch_key(ranking, queries)
    columns = [
        cached_feature(name, ranking, queries, done.memory, "zscore", batch)[rows].astype(np.float32) for name in names
    ]
    return Candidates(np.stack(columns, axis=1), offsets, gold[rows])


def _gold(done: Pass, ranking: Rankings) -> NDArray[np.bool_]:
    """Shape (entries,): whether a candidate shows a gold record of its question."""
    gold = np.zeros(len(ranking.ids), bool)
    for i, row in enumerate(done.rows):
        units = [done.where.units_of(e.record) for e in done.task.questions[row].evidence]
        if units:
            span = slice(int(ranking.offsets[i]), int(ranking.offsets[i + 1]))
            gold[span] = np.isin(ranking.ids[span], np.concatenate(units))
    return gold


def _drawn(ranking: Rankings, gold: NDArray[np.bool_], chance: random.Random) -> tuple[IntArray, IntArray]:
    """The entries that are learnt from and where each question's begin; questions without gold left out."""
    rows, sizes = [], []
    for q in range(len(ranking)):
        start, end = int(ranking.offsets[q]), int(ranking.offsets[q + 1])
        own = gold[start:end]
        if not own.any() or own.all():
            continue
        rest = range(start + FIRST, end)
        drawn = chance.sample(rest, min(FURTHER, len(rest))) if len(rest) else []
        kept = np.unique(
            np.concatenate(
                [np.arange(start, min(end, start + FIRST)), np.array(drawn, np.int64), start + np.flatnonzero(own)]
            )
        )
        rows.append(kept)
        sizes.append(len(kept))
    offsets = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return (np.concatenate(rows) if rows else np.zeros(0, np.int64)), offsets


def _joined(parts: Sequence[Candidates], width: int) -> Candidates:
    if not parts:
        return Candidates(np.zeros((0, width)), np.zeros(1, np.int64), np.zeros(0, bool))
    starts = np.cumsum([0, *(len(part.gold) for part in parts)])
    offsets = np.concatenate([[0], *(part.offsets[1:] + start for part, start in zip(parts, starts, strict=False))])
    return Candidates(
        np.concatenate([part.features for part in parts]).astype(np.float64),
        offsets.astype(np.int64),
        np.concatenate([part.gold for part in parts]),
    )
