"""A policy and all that it must beat, on the same questions, at equal tokens of notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from designsearch.runtime.policies.rules import make as make_rules
from designsearch.runtime.policies.weights import Weights
from designsearch.search.training.learned.bench import Bench, Outcome
from designsearch.search.training.learned.comparison import (
    above_share,
    at_budget,
    inner,
    multi_query,
    oracle,
    selected,
    untrained,
)
from designsearch.search.training.learned.learning import calibrated, outcomes
from designsearch.search.training.learned.selector import STATIC

INNER = "inner cascade taken once"
SELECTOR = "supervised selector"

STUDENT = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}
"""The 97.5 % point of Student's t for so many users."""

NORMAL = 1.96


def contest(
    benches: Sequence[Bench], policies: Mapping[str, Weights], selector: Weights, tokens: int
) -> dict[str, list[Outcome]]:
    """What each reaches on all questions of the benches, in their order.

    Args:
        benches: the histories.
        policies: learned policies by name; how long they go on is set anew for these questions, by tokens alone.
        selector: whose scores the supervised selectors order candidates by.
        tokens: of notes a question in the mean. ``rules`` and the oracle take what they take.
    """
    every = [range(len(bench)) for bench in benches]
    once, shown, one = inner(benches)
    several, shown_by_all, searches = multi_query(benches)
    return {
        INNER: at_budget(once, tokens, shown, one),
        "the same, cut-off a question": above_share(once, tokens, shown, one),
        "several queries, RRF": at_budget(several, tokens, shown_by_all, searches),
        SELECTOR: at_budget(selected(benches, selector), tokens, shown, one),
        "supervised selector, several queries": at_budget(
            selected(benches, selector, STATIC), tokens, shown_by_all, searches
        ),
        "untrained policy": outcomes(benches, every, untrained(tokens)),
        "rules": [outcome for bench in benches for outcome in bench.run(lambda world: make_rules(world, None))],
        **{name: calibrated(benches, every, weights, tokens)[1] for name, weights in policies.items()},
        "oracle selector": oracle(once, shown),
    }


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        name: what was measured.
        recall: mean over questions.
        tokens, observed, searches: means over questions.
        gain: mean over users of the difference in recall to the inner cascade taken once.
        spread: half the width of its 95 % interval over users; ``None`` for a single user.
    """

    name: str
    recall: float
    tokens: float
    observed: float
    searches: float
    gain: float
    spread: float | None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return vars(self).copy()


def table(found: Mapping[str, Sequence[Outcome]], users: Sequence[str]) -> list[Row]:
    """One row each.

    Args:
        found: by name, one outcome a question; several seeds stand one after the other.
        users: shape (questions,): whom each question is about.
    """
    base = found[INNER]
    return [_row(name, own, base, users) for name, own in found.items()]


def _row(name: str, own: Sequence[Outcome], base: Sequence[Outcome], users: Sequence[str]) -> Row:
    differences: dict[str, list[float]] = {}
    for i, one in enumerate(own):
        place = i % len(base)
        differences.setdefault(users[place], []).append(one.recall - base[place].recall)
    means = [fmean(values) for values in differences.values()]
    count = len(means)
    spread = STUDENT.get(count, NORMAL) * stdev(means) / count**0.5 if count > 1 else None
    return Row(
        name,
        fmean(one.recall for one in own),
        fmean(one.tokens for one in own),
        fmean(one.observed for one in own),
        fmean(one.searches for one in own),
        fmean(means),
        spread,
    )
