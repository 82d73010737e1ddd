"""Train a learned policy: a supervised start, then rewards; what finds more on held-out questions is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from designsearch.runtime.policies.weights import STOP, Weights
from designsearch.search.training.learned.bench import Bench
from designsearch.search.training.learned.learning import Learnt, Schedule, climbing, learn
from designsearch.search.training.learned.level import Rows, calibrated
from designsearch.search.training.learned.selector import fit_go_on, fit_selector

FEATURES = (
    "future", "interval", "day", "age", "order", "near", "bm25", "rarest", "coverage", "cosine", "centered_cosine",
    "soft_terms", "question_mark", "opening", "length", "author", "names",
)  # fmt: skip
"""Features of a candidate that are always looked at; those that read a view are also looked at in every other view."""

BY_VIEW = ("bm25", "cosine", "centered_cosine", "soft_terms")

ROOM = 1.5
"""How many times the mean tokens one question's notes may have."""

HELD_OUT = 0.25

CALIBRATED = 3
"""Of so many questions one says how long to go on."""

START = {"question": {"first": 4.0}, STOP: {"always": 1.0}}
"""How it begins: it searches for the question, and then mostly stops."""

UNLEARNED_RANK = 3.0
"""How much the place in the search counts to a policy that has learnt nothing: the first is picked 20 times as often as
the last."""

UNLEARNED_GO_ON = 4.0
"""Its log-odds of keeping another candidate."""


@dataclass(frozen=True)
class Trained:
    """What training gave.

    Attributes:
        weights: the better of the two on held-out questions, with an account of both in ``about``.
        supervised: the start.
        learnt: what learning from rewards gave.
    """

    weights: Weights
    supervised: Weights
    learnt: Learnt


def features_for(views: Sequence[str]) -> tuple[str, ...]:
    """The features that a policy is trained with over a store of those views."""
    further = [f"{name}.{view}" for view in views if view != "raw" for name in BY_VIEW]
    return (*FEATURES, *further)


def supervised(benches: Sequence[Bench], rows: Rows, tokens: int) -> Weights:
    """The supervised start: one search for the question, then a selector with a cut-off of its own a question.

    Args:
        benches: the histories.
        rows: the questions of each that it learns from.
        tokens: of notes a question in the mean.

    Raises:
        NothingToLearnError: no question has both a candidate with evidence and one without.
    """
    fitted = fit_go_on(fit_selector(benches, rows), benches, rows)
    started = replace(fitted, tokens=int(ROOM * tokens), decide=START)
    return _at_level(benches, rows, started, tokens)


def unlearned(names: Sequence[str], tokens: int) -> Weights:
    """What learning from rewards alone begins with: it keeps by rank, until its notes are full.

    Args:
        names: features of candidates that it may learn from.
        tokens: of notes a question.
    """
    return Weights(
        tokens=tokens,
        selector=dict.fromkeys(names, 0.0),
        pick={"rank": UNLEARNED_RANK},
        go_on={"always": UNLEARNED_GO_ON},
        decide=START,
    )


def train_policy(
    benches: Sequence[Bench], schedule: Schedule, tell: Callable[[dict[str, Any]], None] = lambda _: None
) -> Trained:
    """Train on questions with evidence.

    Args:
        benches: the histories with their questions; a quarter of each history's questions are held out.
        schedule: how it learns from rewards; ``schedule.tokens`` is what policies are compared at. The held-out
            questions say for how many of its rounds, then all questions are learnt from.
        tell: hears of each round.

    Raises:
        NothingToLearnError: no question has both a candidate with evidence and one without.
    """
    train, held_out = split(benches, schedule.seed)
    start = supervised(benches, train, schedule.tokens)
    learnt = learn(benches, train, held_out, start, schedule, tell)
    better = learnt.recall > learnt.before
    about = {
        "trained_on": [{"history": bench.task.name, "questions": len(bench)} for bench in benches],
        "tokens": schedule.tokens,
        "seed": schedule.seed,
        "rounds": learnt.rounds if better else 0,
        "rewards": "rule" if schedule.judge is None else schedule.judge.fingerprint,
        "held_out_recall": {
            "supervised": round(learnt.before, 4),
            "from_rewards": round(learnt.recall, 4) if schedule.iterations else None,
        },
        "kept": "from_rewards" if better else "supervised",
    }
    every = [range(len(bench)) for bench in benches]
    final = supervised(benches, every, schedule.tokens)
    if better:
        final = rewarded(benches, final, schedule, learnt.rounds)
    return Trained(replace(final, about=about), start, learnt)


def rewarded(benches: Sequence[Bench], weights: Weights, schedule: Schedule, rounds: int) -> Weights:
    """What rewards make of weights in so many rounds, on all questions, at ``schedule.tokens`` tokens of notes.

    The held-out questions have said how many rounds; then they are learnt from as well.
    """
    every = [range(len(bench)) for bench in benches]
    *_, (_, last, _) = climbing(benches, every, weights, schedule, rounds)
    return _at_level(benches, every, last, schedule.tokens)


def _at_level(benches: Sequence[Bench], rows: Rows, weights: Weights, tokens: int) -> Weights:
    # tokens need fewer questions than weights do
    return calibrated(benches, [own[::CALIBRATED] for own in rows], weights, tokens)[0]


def split(benches: Sequence[Bench], seed: int) -> tuple[list[list[int]], list[list[int]]]:
    """The questions of each history that are learnt from, and those that are held out: a quarter of all.

    Every history gives its share as far as whole questions allow; of histories with few, some give one and some none.
    """
    chance = np.random.default_rng(seed)
    train, held_out = [], []
    asked = taken = 0
    for bench in benches:
        order = chance.permutation(len(bench)).tolist()
        asked += len(order)
        count = int(asked * HELD_OUT) - taken
        taken += count
        held_out.append(sorted(order[:count]))
        train.append(sorted(order[count:]))
    return train, held_out
