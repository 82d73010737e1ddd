"""What a round of learning did, and where the policy stands on questions that it does not learn from.

The questions that a round plays are drawn anew, so rewards of two rounds differ by that alone; the held-out ones are
the same at each look, played with the same draws, so that a change there is a change of the policy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Any

import numpy as np

from designsearch.runtime.policies.queries import SOURCES
from designsearch.runtime.policies.weights import Weights
from designsearch.search.training.judging.figures import episode_figures, held_out_figures
from designsearch.search.training.learned.bench import Bench, Outcome
from designsearch.search.training.learned.level import Rows
from designsearch.search.training.learned.sampling import Sampled, sample

LOOKED_AT = 4
"""Episodes of each held-out question that are played at a look."""


def held_out_point(
    benches: Sequence[Bench], rows: Rows, weights: Weights, reached: Sequence[Outcome], seed: int
) -> dict[str, Any]:
    """Where a policy stands on held-out questions; rewards are the rule's, whoever judges in learning.

    Args:
        benches: the histories.
        rows: the held-out questions of each.
        weights: of the policy, as it plays.
        reached: what it reaches there without chance, at equal tokens.
        seed: of the draws.

    Returns:
        Means of ``reached``: ``recall``, ``tokens`` of notes and ``searches``; and what it plays by chance, ``played``.
    """
    chance = np.random.default_rng(seed)
    groups = [
        one
        for bench, own in zip(benches, rows, strict=True)
        if len(own)
        for one in sample(bench, weights, own, LOOKED_AT, chance)
    ]
    return {
        "recall": fmean(one.recall for one in reached),
        "tokens": fmean(one.tokens for one in reached),
        "searches": fmean(one.searches for one in reached),
        "played": {**held_out_figures([one for group in groups for one in group.episodes]), **_sources(groups)},
    }


def played(groups: Sequence[Sampled]) -> dict[str, Any]:
    """What episodes earned and did.

    ``queries`` says how many searches an episode made from each source; the others are those of
    :func:`~designsearch.search.training.judging.figures.episode_figures`.
    """
    episodes = [episode for one in groups for episode in one.episodes]
    return {**episode_figures(episodes, [reward for one in groups for reward in one.rewards]), **_sources(groups)}


def _sources(groups: Sequence[Sampled]) -> dict[str, Any]:
    """``queries``: how many searches an episode made from each source."""
    episodes = [episode for one in groups for episode in one.episodes]
    steps = [step for episode in episodes for step in episode.trajectory.steps]
    sources = Counter(step.action.source for step in steps if step.action.type == "search")
    return {"queries": {source: sources[source] / len(episodes) for source in SOURCES if sources[source]}}
