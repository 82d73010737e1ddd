"""The choices of a learned policy as probabilities: what to do next, whether to keep another candidate, and which.

Three small linear models (heads). *decide*: a softmax over the sources of queries that have one, and ``stop``. In an
extraction, before each note, *go on*: a logistic whether to keep another candidate, then *pick*: a softmax over the
candidates that are left (Plackett and Luce; the conditional logit of McFadden 1974). All draws of one extraction are
made at once: sorting by score plus Gumbel noise draws from Plackett and Luce (Yellott 1977), and what *go on* reads
depends on nothing but the order so far.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.records import FloatArray, IntArray

DECIDE = ("always", "first", "room", "covered", "kept", "step", "dated", "sure")
"""What *decide* reads: 1; whether nothing was searched for yet; the share of the notes' tokens that is left; the share
of the question's words that notes hold; the share of the last search that was kept; the share of steps that are over;
whether the question names a time; how sure the selector was of the best of the last search (its probability)."""

GO_ON = ("always", "share", "rank", "behind", "tail", "top", "entropy", "score", "room", "searches")
"""What *go on* reads of the selector's scores: 1; ln of the best remaining candidate's probability among all of the
search; ln(1 + notes); its distance from the best of all; ln of the probability of all that remain; the probability of
the best of all; the entropy; the score itself; the share of the notes' tokens that is left; ln(1 + searches)."""

RELATIVE = ("rank", "same_day", "same_session")
"""What is known of a candidate from the episode: 60 / (60 + rank in the search); the share of the notes that are of its
day, and of its session."""


@dataclass(frozen=True, slots=True)
class Menu:
    """A choice of what to do next.

    Attributes:
        state: shape (features of DECIDE,).
        open: shape (sources + 1,): which may be chosen; the last is ``stop``.
        picked: what was chosen.
    """

    state: FloatArray
    open: NDArray[np.bool_]
    picked: int


@dataclass(frozen=True, slots=True)
class Picks:
    """The choices of one extraction.

    Attributes:
        base: shape (candidates,): the selector's scores, which do not learn.
        features: shape (candidates, features): what *pick* reads beside them.
        order: shape (candidates,): candidates by when they were picked, or would have been.
        kept: how many were picked.
        ends: whether the policy chose to end; False where nothing was left, or nothing more fits.
        steps: shape (kept + ends, features of GO_ON): what *go on* read before each.
    """

    base: FloatArray
    features: FloatArray
    order: IntArray
    kept: int
    ends: bool
    steps: FloatArray


def decide_logps(weights: FloatArray, menu: Menu) -> FloatArray:
    """Log-probabilities of all options, shape (sources + 1,); minus infinity for what may not be chosen.

    Args:
        weights: shape (sources + 1, features of DECIDE).
        menu: the choice.
    """
    logits = np.where(menu.open, weights @ menu.state, -np.inf)
    logps: FloatArray = logits - np.logaddexp.reduce(logits)
    return logps


def pick_logps(weights: FloatArray, picks: Picks) -> FloatArray:
    """Log-probability of each pick among what was left, shape (kept,).

    Args:
        weights: shape (features,).
        picks: the extraction.
    """
    scores = (picks.base + picks.features @ weights)[picks.order]
    return (scores - left_over(scores))[: picks.kept]


def go_on_logps(weights: FloatArray, picks: Picks) -> FloatArray:
    """Log-probability of having gone on before each pick, and of having ended, shape (kept + ends,).

    Args:
        weights: shape (features of GO_ON,).
        picks: the extraction.
    """
    logits = picks.steps @ weights
    sign = np.ones(len(logits))
    if picks.ends:
        sign[-1] = -1.0
    return -np.logaddexp(0.0, -sign * logits)


def left_over(scores: FloatArray) -> FloatArray:
    """Ln of the sum of exp over each score and those behind it, shape (candidates,)."""
    return np.asarray(np.logaddexp.accumulate(scores[::-1])[::-1], np.float64)


def go_on_features(base: FloatArray, order: IntArray, room: FloatArray, notes: int, searches: int) -> FloatArray:
    """What *go on* reads before each pick, shape (candidates, features of GO_ON).

    Args:
        base: shape (candidates,): the selector's scores; at least one.
        order: shape (candidates,): as they are picked.
        room: shape (candidates,): share of the tokens that is left before each.
        notes: how many there were before.
        searches: how many there were.
    """
    count = len(base)
    whole = float(np.logaddexp.reduce(base))
    shares = np.exp(base - whole)
    ordered = base[order]
    best = np.maximum.accumulate(ordered[::-1])[::-1]
    entropy = -float(shares @ (base - whole))
    made = np.empty((count, len(GO_ON)))
    made[:, 0] = 1.0
    made[:, 1] = best - whole
    made[:, 2] = np.log1p(notes + np.arange(count))
    made[:, 3] = best - base.max()
    made[:, 4] = left_over(ordered) - whole
    made[:, 5] = shares.max()
    made[:, 6] = entropy
    made[:, 7] = best
    made[:, 8] = room
    made[:, 9] = np.log1p(searches)
    return made
