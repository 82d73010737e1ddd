"""Two designs on the same questions: the paired differences and how far they can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from designsearch.runtime.records import FloatArray
from designsearch.search.intervals import Interval, over_questions, over_users
from designsearch.search.mcnemar import mcnemar
from designsearch.search.results import Key
from designsearch.search.scores import Scores
from designsearch.search.sign_flip import sign_flip

MAX_UNMEASURED = 0.1
"""The largest share of questions without a pair of values that a comparison puts up with."""


@dataclass(frozen=True)
class Pairs:
    """One metric of two designs on the questions where both were measured.

    Attributes:
        keys: the questions, sorted.
        base: shape (questions,), values of the design to beat.
        new: shape (questions,), values of the other one.
        unmeasured: the questions measured under one design at most.
    """

    keys: tuple[Key, ...]
    base: FloatArray
    new: FloatArray
    unmeasured: tuple[Key, ...]

    @cached_property
    def differences(self) -> FloatArray:
        """Shape (questions,): new minus old."""
        return self.new - self.base

    @property
    def gain(self) -> float:
        """Mean difference; 0 where nothing is paired."""
        return float(self.differences.mean()) if len(self.keys) else 0.0

    @property
    def gains(self) -> int:
        """Questions that the new design does better on."""
        return int(np.count_nonzero(self.differences > 0))

    @property
    def losses(self) -> int:
        """Questions that the new design does worse on."""
        return int(np.count_nonzero(self.differences < 0))

    @property
    def unmeasured_share(self) -> float:
        """Share of the questions that could not be paired; 1 where there are none at all."""
        total = len(self.keys) + len(self.unmeasured)
        return len(self.unmeasured) / total if total else 1.0

    def problem(self, limit: float = MAX_UNMEASURED) -> str:
        """Why the designs cannot be compared on these questions; empty where they can."""
        if not self.keys:
            return "no question was measured under both designs"
        if self.unmeasured_share <= limit:
            return ""
        some = ", ".join(str(key) for key in self.unmeasured[:5])
        more = ", ..." if len(self.unmeasured) > 5 else ""
        return (
            f"{len(self.unmeasured)} of {len(self.keys) + len(self.unmeasured)} questions "
            f"({self.unmeasured_share:.0%}) were not measured under both designs, more than the limit of {limit:.0%}: "
            f"{some}{more}"
        )

    def p_value(self, seed: int) -> float:
        """One-sided p-value for "new is better": exact McNemar for right and wrong, sign-flip for other values."""
        both = np.concatenate([self.base, self.new])
        if np.isin(both, (0.0, 1.0)).all():
            return mcnemar(self.gains, self.losses)
        return sign_flip(self.differences, seed=seed)


@dataclass(frozen=True, slots=True)
class HistoryDifference:
    """The difference for one user.

    Attributes:
        count: questions paired.
        gain: mean difference.
        interval: of the gain, questions resampled; ``None`` for fewer than two.
    """

    count: int
    gain: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two designs' results say about their difference.

    Attributes:
        count: questions paired.
        base, new: mean values on those; ``None`` where there are none.
        gain: mean difference.
        gains, losses: questions better and worse.
        p: one-sided p-value for "new is better".
        interval: of the gain, questions resampled.
        users_interval: of the gain, users and their questions resampled.
        by_history: the difference for each user.
        problem: why the figures must not be read as a comparison; empty where they may.
    """

    count: int
    base: float | None
    new: float | None
    gain: float
    gains: int
    losses: int
    p: float
    interval: Interval | None
    users_interval: Interval | None
    by_history: dict[str, HistoryDifference]
    problem: str


def pair(base: Scores, new: Scores) -> Pairs:
    """Match two designs' values question by question; the order of the results plays no part."""
    keys = tuple(sorted(base.measured.keys() & new.measured.keys()))
    seen = base.measured.keys() | new.measured.keys() | set(base.unmeasured) | set(new.unmeasured)
    return Pairs(
        keys=keys,
        base=np.array([base.measured[key] for key in keys], dtype=np.float64),
        new=np.array([new.measured[key] for key in keys], dtype=np.float64),
        unmeasured=tuple(sorted(seen - set(keys))),
    )


def compare(pairs: Pairs, *, seed: int = 0, limit: float = MAX_UNMEASURED) -> Comparison:
    """Sum up paired values; ``problem`` says where too few of them are left to mean anything."""
    users = [key.history for key in pairs.keys]
    by_history = {
        user: _difference(pairs.differences[[owner == user for owner in users]], seed) for user in sorted(set(users))
    }
    return Comparison(
        count=len(pairs.keys),
        base=float(pairs.base.mean()) if users else None,
        new=float(pairs.new.mean()) if users else None,
        gain=pairs.gain,
        gains=pairs.gains,
        losses=pairs.losses,
        p=pairs.p_value(seed),
        interval=over_questions(pairs.differences, seed=seed),
        users_interval=over_users(pairs.differences, users, seed=seed),
        by_history=by_history,
        problem=pairs.problem(limit),
    )


def _difference(differences: FloatArray, seed: int) -> HistoryDifference:
    return HistoryDifference(len(differences), float(differences.mean()), over_questions(differences, seed=seed))
