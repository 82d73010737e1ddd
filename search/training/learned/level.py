"""Policies brought to one level of tokens, kept or shown, so that what they find can be compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np

from designsearch.runtime.policies.heads import GO_ON
from designsearch.runtime.policies.weights import Weights
from designsearch.search.training.learned.bench import Bench, Outcome

Rows = Sequence[Sequence[int]]
"""The questions of each bench."""

ROUNDS = 8
"""Halvings of the range in which the bias is looked for."""

ENOUGH = 0.01
"""Share of the tokens within which it is found."""

REACH = 50.0
"""How far the bias is moved at most, in log-odds."""

WINDOWS = 8
"""Sizes of the window that are tried at most."""

NEAR = 0.02
"""Share of the tokens shown within which a size will do."""


def outcomes(benches: Sequence[Bench], rows: Rows, weights: Weights) -> list[Outcome]:
    """What the policy reaches without chance."""
    found: list[Outcome] = []
    for bench, own in zip(benches, rows, strict=True):
        if len(own):
            episodes, _ = bench.episodes(weights, np.array(own, np.int64), None)
            found += bench.outcomes(episodes, own)
    return found


def calibrated(
    benches: Sequence[Bench], rows: Rows, weights: Weights, tokens: float, reach: float = REACH
) -> tuple[Weights, list[Outcome]]:
    """Weights that go on just as long as gives that many tokens of notes a question in the mean, with what they reach.

    Only the bias of going on is moved, by ``reach`` log-odds at most; evidence plays no part in it.
    """
    low, high = -reach, reach
    best: tuple[float, Weights, list[Outcome]] | None = None
    for _ in range(ROUNDS):
        shift = (low + high) / 2
        moved = replace(weights, go_on=weights.go_on | {GO_ON[0]: weights.go_on.get(GO_ON[0], 0.0) + shift})
        reached = outcomes(benches, rows, moved)
        off = fmean(one.tokens for one in reached) - tokens
        if best is None or abs(off) < best[0]:
            best = abs(off), moved, reached
        if abs(off) < ENOUGH * tokens:
            break
        low, high = (shift, high) if off < 0 else (low, shift)
    assert best is not None
    return best[1], best[2]


def at_observed(
    benches: Sequence[Bench], run: Callable[[Sequence[Bench]], list[Outcome]], observed: float
) -> list[Outcome]:
    """What is reached where a search shows just as much as gives that many tokens shown a question in the mean.

    Args:
        benches: the histories.
        run: what is measured.
        observed: wanted in the mean over questions.
    """
    window = float(benches[0].world.observation_tokens)
    best: tuple[float, list[Outcome]] | None = None
    for _ in range(WINDOWS):
        reached = run([bench.showing(max(1, round(window))) for bench in benches])
        shown = fmean(one.observed for one in reached)
        off = abs(shown - observed)
        if best is None or off < best[0]:
            best = off, reached
        if off <= NEAR * observed or not shown:
            break
        # a window that no search fills shows no more than a smaller one
        filled = min(window, max(one.observed / max(1, one.searches) for one in reached))
        window = (filled if shown > observed else window) * observed / shown
    assert best is not None
    return best[1]
