"""Log-probabilities of the choices on a tape under other weights, and what they give the weights as gradient."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from designsearch.runtime.policies.heads import (
    Menu,
    Picks,
    decide_logps,
    go_on_logps,
    left_over,
    pick_logps,
)
from designsearch.runtime.records import FloatArray


@dataclass
class Heads:
    """The weights that learn, as arrays; or a gradient with respect to them.

    Attributes:
        decide: shape (sources + 1, features of DECIDE).
        go_on: shape (features of GO_ON,).
        pick: shape (features of candidates,).
    """

    decide: FloatArray
    go_on: FloatArray
    pick: FloatArray

    def flat(self) -> FloatArray:
        """All of them in a row."""
        return np.concatenate([self.decide.ravel(), self.go_on, self.pick])

    def like(self, flat: FloatArray) -> Heads:
        """Arrays of the same shapes from a row."""
        a, b = self.decide.size, self.decide.size + self.go_on.size
        return Heads(flat[:a].reshape(self.decide.shape), flat[a:b], flat[b:])


def token_logps(heads: Heads, tape: Sequence[Menu | Picks]) -> FloatArray:
    """Log-probability of each choice of an episode, in the order of its :class:`~...episodes.Choice`."""
    parts = [_logps(heads, choice) for choice in tape]
    return np.concatenate(parts) if parts else np.zeros(0)


def _logps(heads: Heads, choice: Menu | Picks) -> FloatArray:
    if isinstance(choice, Menu):
        return decide_logps(heads.decide, choice)[[choice.picked]]
    made = np.empty(2 * choice.kept + choice.ends)
    made[0::2] = go_on_logps(heads.go_on, choice)
    made[1::2] = pick_logps(heads.pick, choice)
    return made


def gradient(heads: Heads, tape: Sequence[Menu | Picks], slopes: FloatArray) -> Heads:
    """Derivative of the sum of slope times log-probability over the choices of an episode.

    Args:
        heads: where it is taken.
        tape: the choices.
        slopes: shape (choices,).
    """
    total = Heads(np.zeros_like(heads.decide), np.zeros_like(heads.go_on), np.zeros_like(heads.pick))
    start = 0
    for choice in tape:
        size = 1 if isinstance(choice, Menu) else 2 * choice.kept + choice.ends
        own = slopes[start : start + size]
        start += size
        if isinstance(choice, Menu):
            shares = np.exp(decide_logps(heads.decide, choice))
            shares[choice.picked] -= 1.0
            total.decide -= own[0] * np.outer(shares, choice.state)
        else:
            total.go_on += _go_on(heads.go_on, choice, own[0::2])
            total.pick += _pick(heads.pick, choice, own[1::2])
    return total


def _go_on(weights: FloatArray, picks: Picks, slopes: FloatArray) -> FloatArray:
    # the derivative of ln sigmoid(sign l) by l is sign (1 - its probability)
    sign = np.ones(len(slopes))
    if picks.ends:
        sign[-1] = -1.0
    return np.asarray((slopes * sign * -np.expm1(go_on_logps(weights, picks))) @ picks.steps, np.float64)


def _pick(weights: FloatArray, picks: Picks, slopes: FloatArray) -> FloatArray:
    if not picks.kept:
        return np.zeros_like(weights)
    features = picks.features[picks.order]
    scores = (picks.base + picks.features @ weights)[picks.order]
    rest = left_over(scores)
    # candidate i was among those left at every pick up to its own: the sum over those picks of slope / rest
    top = scores.max()
    weighed = np.zeros(len(scores))
    weighed[: picks.kept] = slopes * np.exp(top - rest[: picks.kept])
    pull = np.exp(scores - top) * np.cumsum(weighed)
    return np.asarray(slopes @ features[: picks.kept] - pull @ features, np.float64)
