"""A policy and all that it must beat, on the same questions, at equal tokens of notes and equal tokens shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from designsearch.runtime.policies.rules import make as make_rules
from designsearch.runtime.policies.weights import Weights
from designsearch.search.training.learned.bench import Bench, Outcome
from designsearch.search.training.learned.comparison import (
    Ordered,
    Shown,
    above_share,
    at_budget,
    inner,
    kept_in_order,
    multi_query,
    oracle,
    selected,
    untrained,
)
from designsearch.search.training.learned.level import NEAR, at_observed, calibrated, outcomes
from designsearch.search.training.learned.selector import STATIC

Run = Callable[[Sequence[Bench]], list[Outcome]]
"""From benches to what is reached on all their questions."""

INNER = "inner cascade taken once"
SELECTOR = "supervised selector"
ORACLE = "oracle selector"
AS_DESIGNED = "window of the design: "
"""Before the name of what is shown more or less than the policy, each search showing what the design says."""

STUDENT = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}
"""The 97.5 % point of Student's t for so many users."""

NORMAL = 1.96


def contest(
    benches: Sequence[Bench], policies: Mapping[str, Weights], selector: Weights, tokens: int
) -> dict[str, list[Outcome]]:
    """What each reaches on all questions of the benches, in their order.

    All have as many tokens of notes, and are shown as many tokens as the first of the policies: a search shows the
    more the fewer there are. What those reach whose window had to be changed for it follows, with the window of the
    design, ``AS_DESIGNED`` before the name.

    Args:
        benches: the histories.
        policies: learned policies by name; how long they go on is set anew for these questions, by tokens alone.
        selector: whose scores the supervised selectors order candidates by.
        tokens: of notes a question in the mean. ``rules`` takes fewer where it keeps fewer, the oracle what it takes.
    """
    contestants = _contestants(selector, tokens) | {
        name: _policy(weights, tokens) for name, weights in policies.items()
    }
    own = {name: run(benches) for name, run in contestants.items()}
    level = fmean(one.observed for one in own[next(iter(policies))])
    found, further = {}, {}
    for name, run in contestants.items():
        if abs(fmean(one.observed for one in own[name]) - level) <= NEAR * level:
            found[name] = own[name]
        else:
            found[name] = at_observed(benches, run, level)
            further[AS_DESIGNED + name] = own[name]
    return found | further


def _contestants(selector: Weights, tokens: int) -> dict[str, Run]:
    """What a policy must beat, by name, and the oracle."""

    def by_selector(sources: Sequence[str]) -> Callable[[Sequence[Bench]], list[Ordered]]:
        return lambda benches: selected(benches, selector, sources)

    def by_rules(benches: Sequence[Bench]) -> Shown:
        return kept_in_order(benches, lambda world: make_rules(world, None))

    return {
        INNER: _ranked(tokens, inner),
        "the same, cut-off a question": _ranked(tokens, inner, cut=above_share),
        SELECTOR: _ranked(tokens, inner, by_selector(("question",))),
        "several queries, RRF": _ranked(tokens, multi_query),
        "supervised selector, several queries": _ranked(tokens, multi_query, by_selector(STATIC)),
        "untrained policy": lambda benches: outcomes(benches, _every(benches), untrained(tokens)),
        "rules": _ranked(tokens, by_rules),
        ORACLE: _oracle,
    }


def _ranked(
    tokens: int,
    find: Callable[[Sequence[Bench]], Shown],
    order: Callable[[Sequence[Bench]], list[Ordered]] | None = None,
    cut: Callable[[Sequence[Ordered], float, Sequence[int], Sequence[int]], list[Outcome]] = at_budget,
) -> Run:
    """What is found, in its order or another, cut to that many tokens in the mean."""

    def run(benches: Sequence[Bench]) -> list[Outcome]:
        found, shown, searches = find(benches)
        return cut(found if order is None else order(benches), tokens, shown, searches)

    return run


def _oracle(benches: Sequence[Bench]) -> list[Outcome]:
    found, shown, _ = inner(benches)
    return oracle(found, shown)


def _policy(weights: Weights, tokens: int) -> Run:
    return lambda benches: calibrated(benches, _every(benches), weights, tokens)[1]


def _every(benches: Sequence[Bench]) -> list[range]:
    return [range(len(bench)) for bench in benches]


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
