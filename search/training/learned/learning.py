"""PA-DAPO for the learned policy: sample groups of episodes, keep those whose rewards differ, climb the objective."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import numpy as np

from designsearch.runtime.episodes.states import ACTION_TYPES
from designsearch.runtime.policies.heads import DECIDE, GO_ON
from designsearch.runtime.policies.queries import SOURCES
from designsearch.runtime.policies.weights import STOP, Weights
from designsearch.runtime.records import FloatArray
from designsearch.search.training.learned.bench import Bench, Outcome
from designsearch.search.training.learned.gradients import Heads, gradient, token_logps
from designsearch.search.training.learned.sampling import Reward, Sampled, rule_reward_of, sample
from designsearch.search.training.objectives.groups import varied
from designsearch.search.training.objectives.pa_dapo import CLIP_HIGH, CLIP_LOW, Group, pa_dapo

Rows = Sequence[Sequence[int]]
"""The questions of each bench."""


@dataclass(frozen=True)
class Schedule:
    """How it learns.

    Attributes:
        iterations: rounds of sampling.
        questions: sampled a round.
        group: episodes a question.
        epochs: steps on the episodes of a round.
        rate: step size (Adam, Kingma and Ba 2015).
        low, high: clip bounds.
        look: rounds between two looks at the held-out questions.
        tokens: of notes a question in the mean, at which policies are compared.
        seed: of all draws.
        reward: judges episodes.
    """

    iterations: int = 40
    questions: int = 32
    group: int = 8
    epochs: int = 2
    rate: float = 0.03
    low: float = CLIP_LOW
    high: float = CLIP_HIGH
    look: int = 5
    tokens: int = 2_000
    seed: int = 0
    reward: Reward = rule_reward_of


@dataclass(frozen=True)
class Learnt:
    """What learning gave.

    Attributes:
        weights: those of the look, the first one left out, with the highest held-out evidence recall; not of the
            highest reward.
        recall: that recall, at ``tokens`` tokens of notes a question in the mean.
        before: the same before anything was learnt.
        curve: one plain JSON object a round.
    """

    weights: Weights
    recall: float
    before: float
    curve: tuple[dict[str, Any], ...]


def heads_of(weights: Weights) -> Heads:
    """The weights that learn."""
    return Heads(weights.decide_array.copy(), weights.go_on_array.copy(), weights.pick_array.copy())


def with_heads(weights: Weights, heads: Heads) -> Weights:
    """Weights whose heads are others."""
    options = (*SOURCES, STOP)
    return replace(
        weights,
        decide={o: dict(zip(DECIDE, row.tolist(), strict=True)) for o, row in zip(options, heads.decide, strict=True)},
        go_on=dict(zip(GO_ON, heads.go_on.tolist(), strict=True)),
        pick=dict(zip(weights.columns, heads.pick.tolist(), strict=True)),
    )


def outcomes(benches: Sequence[Bench], rows: Rows, weights: Weights) -> list[Outcome]:
    """What the policy reaches without chance."""
    found: list[Outcome] = []
    for bench, own in zip(benches, rows, strict=True):
        if len(own):
            episodes, _ = bench.episodes(weights, np.array(own, np.int64), None)
            found += bench.outcomes(episodes, own)
    return found


ROUNDS = 8
"""Halvings of the range in which the bias is looked for."""

ENOUGH = 0.01
"""Share of the tokens within which it is found."""

REACH = 50.0
"""How far the bias is moved at most, in log-odds."""


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


def learn(
    benches: Sequence[Bench],
    train: Rows,
    held_out: Rows,
    weights: Weights,
    schedule: Schedule,
    tell: Callable[[dict[str, Any]], None] = lambda _: None,
) -> Learnt:
    """Learn from rewards, and keep what finds most evidence on the held-out questions at equal tokens.

    Args:
        benches: the histories.
        train: the questions of each that are learnt from.
        held_out: the questions of each that choose among what was learnt.
        weights: to begin with.
        schedule: how.
        tell: hears of each round.
    """
    chance = np.random.default_rng(schedule.seed)
    asked = [(number, row) for number, own in enumerate(train) for row in own]
    climb = _Adam(heads_of(weights), schedule.rate)
    curve: list[dict[str, Any]] = []
    best, before = (-1.0, weights), 0.0
    for iteration in range(schedule.iterations + 1):
        now = with_heads(weights, climb.heads)
        point: dict[str, Any] = {"round": iteration}
        if iteration % schedule.look == 0 or iteration == schedule.iterations:
            level, reached = calibrated(benches, held_out, now, schedule.tokens)
            recall = fmean(one.recall for one in reached)
            point |= {"held_out_recall": recall, "tokens": fmean(one.tokens for one in reached),
                      "observed": fmean(one.observed for one in reached),
                      "searches": fmean(one.searches for one in reached)}  # fmt: skip
            before = before if iteration else recall
            best = max(best, (recall, level), key=lambda one: one[0]) if iteration else best
        if iteration < schedule.iterations:
            groups = _sampled(benches, asked, now, schedule, chance)
            point |= _described(groups)
            _climb(climb, groups, schedule)
        curve.append(point)
        tell(point)
    return Learnt(best[1], best[0], before, tuple(curve))


def _sampled(
    benches: Sequence[Bench],
    asked: Sequence[tuple[int, int]],
    weights: Weights,
    schedule: Schedule,
    chance: np.random.Generator,
) -> list[Sampled]:
    drawn = chance.choice(len(asked), min(schedule.questions, len(asked)), replace=False)
    by_bench: dict[int, list[int]] = {}
    for place in sorted(drawn.tolist()):
        by_bench.setdefault(asked[place][0], []).append(asked[place][1])
    return [
        one
        for number, rows in by_bench.items()
        for one in sample(benches[number], weights, rows, schedule.group, chance, schedule.reward)
    ]


def _climb(climb: _Adam, groups: Sequence[Sampled], schedule: Schedule) -> None:
    """Take the steps of one round."""
    kept = [one for one in groups if varied(one.values) and any(len(old) for old in one.old)]
    for _ in range(schedule.epochs if kept else 0):
        heads = climb.heads
        told = [_group(one, heads) for one in kept]
        objective = pa_dapo(told, schedule.low, schedule.high)
        total = np.zeros(heads.flat().size)
        for one, slopes in zip(kept, objective.gradient, strict=True):
            for tape, own in zip(one.tapes, _split(slopes, one), strict=True):
                total += gradient(heads, tape, own).flat()
        climb.step(total)


def _group(one: Sampled, heads: Heads) -> Group:
    sizes = [len(old) for old in one.old]
    return Group(
        rewards=one.values,
        owners=np.repeat(np.arange(len(sizes)), sizes),
        new=np.concatenate([token_logps(heads, tape) for tape in one.tapes]),
        old=np.concatenate(one.old),
        generated=np.ones(sum(sizes), bool),
    )


def _split(slopes: FloatArray, one: Sampled) -> Iterator[FloatArray]:
    return iter(np.split(slopes, np.cumsum([len(old) for old in one.old])[:-1]))


class _Adam:
    """Adam (Kingma and Ba 2015) over all heads."""

    def __init__(self, heads: Heads, rate: float) -> None:
        self.heads = heads
        self._rate = rate
        self._count = 0
        self._mean = np.zeros(heads.flat().size)
        self._square = np.zeros(heads.flat().size)

    def step(self, slope: FloatArray) -> None:
        """Go downhill once."""
        self._count += 1
        self._mean = 0.9 * self._mean + 0.1 * slope
        self._square = 0.999 * self._square + 0.001 * slope**2
        mean, square = self._mean / (1 - 0.9**self._count), self._square / (1 - 0.999**self._count)
        self.heads = self.heads.like(self.heads.flat() - self._rate * mean / (np.sqrt(square) + 1e-8))


def _described(groups: Sequence[Sampled]) -> dict[str, Any]:
    """What a round did: a policy that earns by cheap steps must be visible."""
    episodes = [episode for one in groups for episode in one.episodes]
    rewards = [reward for one in groups for reward in one.rewards]
    by_type: dict[str, list[float]] = {kind: [] for kind in ACTION_TYPES}
    for reward in rewards:
        for kind, value in reward.by_type.items():
            by_type[kind].append(value)
    steps = [step for episode in episodes for step in episode.steps]
    sources = Counter(step.action.source for step in steps if step.action.type == "search")
    return {
        "reward": fmean(reward.value for reward in rewards),
        "reward_by_type": {kind: fmean(values) for kind, values in by_type.items() if values},
        "actions": {kind: sum(s.action.type == kind for s in steps) / len(episodes) for kind in ACTION_TYPES},
        "queries": {source: sources[source] / len(episodes) for source in SOURCES if sources[source]},
        "searched": fmean(sum(len(step.found) for step in episode.steps) for episode in episodes),
        "kept": fmean(len(episode.notes) for episode in episodes),
        "groups_kept": sum(varied(one.values) for one in groups) / len(groups),
    }
