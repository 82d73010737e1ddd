"""PA-DAPO for the learned policy: sample groups of episodes, keep those whose rewards differ, climb the objective."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from designsearch.runtime.policies.weights import Weights
from designsearch.search.training.judging.opinions import RewardJudge
from designsearch.search.training.learned.bench import Bench
from designsearch.search.training.learned.climb import Climb, heads_of, with_heads
from designsearch.search.training.learned.curve import held_out_point, played
from designsearch.search.training.learned.level import Rows, calibrated
from designsearch.search.training.learned.sampling import Sampled, sample
from designsearch.search.training.objectives.groups import varied
from designsearch.search.training.objectives.pa_dapo import CLIP_HIGH, CLIP_LOW

ALL = 256
"""Questions that a round plays at most. Few a round, drawn anew, teach the draw: on 24 the heads drift."""


@dataclass(frozen=True)
class Schedule:
    """How it learns.

    Attributes:
        iterations: rounds of sampling.
        questions: played a round; all that there are, if they are fewer.
        group: episodes a question.
        epochs: steps on the episodes of a round.
        rate: step size.
        low, high: clip bounds.
        look: rounds between two looks at the held-out questions.
        tokens: of notes a question in the mean, at which policies are compared.
        seed: of all draws.
        judge: rewards episodes in place of the rule.
    """

    iterations: int = 12
    questions: int = ALL
    group: int = 8
    epochs: int = 2
    rate: float = 0.03
    low: float = CLIP_LOW
    high: float = CLIP_HIGH
    look: int = 4
    tokens: int = 2_000
    seed: int = 0
    judge: RewardJudge | None = None


@dataclass(frozen=True)
class Learnt:
    """What learning gave.

    Attributes:
        weights: those of the look, the first one left out, with the highest held-out evidence recall; not of the
            highest reward.
        rounds: that look's.
        recall: that recall, at ``tokens`` tokens of notes a question in the mean.
        before: the same before anything was learnt.
        curve: one plain JSON object a round: ``round``; ``played``, what the round's episodes earned and did;
            ``groups_kept``, the share of questions whose rewards vary; ``held_out`` at each look.
    """

    weights: Weights
    rounds: int
    recall: float
    before: float
    curve: tuple[dict[str, Any], ...]


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
    curve: list[dict[str, Any]] = []
    best, before = (-1.0, 0, weights), 0.0
    for iteration, now, groups in climbing(benches, train, weights, schedule, schedule.iterations):
        point: dict[str, Any] = {"round": iteration}
        if iteration % schedule.look == 0 or iteration == schedule.iterations:
            level, reached = calibrated(benches, held_out, now, schedule.tokens)
            point["held_out"] = held_out_point(benches, held_out, now, reached, schedule.seed)
            recall = point["held_out"]["recall"]
            before = before if iteration else recall
            best = max(best, (recall, iteration, level), key=lambda one: one[0]) if iteration else best
        if any(one.episodes for one in groups):
            point["played"] = played(groups)
            point["groups_kept"] = sum(varied(one.values) for one in groups) / len(groups)
        curve.append(point)
        tell(point)
    return Learnt(best[2], best[1], best[0], before, tuple(curve))


def climbing(
    benches: Sequence[Bench], rows: Rows, weights: Weights, schedule: Schedule, rounds: int
) -> Iterator[tuple[int, Weights, list[Sampled]]]:
    """Learn from rewards, round after round.

    Args:
        benches: the histories.
        rows: the questions of each that are learnt from.
        weights: to begin with.
        schedule: how, but for the number of rounds.
        rounds: how many.

    Yields:
        Each round's number, the weights before it and what it sampled with them; at last the weights after all
        rounds, with nothing sampled.
    """
    chance = np.random.default_rng(schedule.seed)
    asked = [(number, row) for number, own in enumerate(rows) for row in own]
    climb = Climb(heads_of(weights), schedule.rate, schedule.low, schedule.high)
    for iteration in range(rounds):
        now = with_heads(weights, climb.heads)
        groups = _sampled(benches, asked, now, schedule, chance)
        yield iteration, now, groups
        climb.on(groups, schedule.epochs)
    yield rounds, with_heads(weights, climb.heads), []


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
        for one in sample(benches[number], weights, rows, schedule.group, chance, schedule.judge)
    ]
