"""Rules about a memory policy: whether one searches, how far it goes, and what becomes of what it found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from designsearch.search.proposers.profile import Profile
from designsearch.search.proposers.rule import rule
from designsearch.search.proposers.workpiece import Workpiece

_MOST_STEPS = 16
"""Steps that are not raised further."""

_MOST_SHOWN = 40_000
"""Tokens of one search that are not raised further."""


def _setting(piece: Workpiece, name: str) -> Any:
    """A parameter of the policy as written or by default; ``None`` where no policy searches."""
    if piece.policy is None:
        return None
    operator = piece.operator(piece.policy)
    assert operator is not None
    return piece.policy.get(name, operator.params.model_fields[name].get_default())


def _set(piece: Workpiece, changes: Mapping[str, Any]) -> None:
    for name, value in changes.items():
        piece.set((*piece.cascade[:-1], name), value)


def _may_double(piece: Workpiece, name: str, most: int) -> bool:
    return 0 < (_setting(piece, name) or 0) < most


def _double(piece: Workpiece, name: str, most: int) -> None:
    _set(piece, {name: min(most, 2 * _setting(piece, name))})


@rule(
    "rest_after_notes",
    "let what was found and not kept follow after the notes",
    "a search of the policy found the evidence of {not_kept:.0%} of the failures, which kept no note of it",
    "what the policy passed over still enters where the budget has room",
    lambda p, piece: 0.5 * p.not_kept if _setting(piece, "rest") is False else 0.0,
)
def _rest_after_notes_rule(piece: Workpiece, profile: Profile) -> None:
    _set(piece, {"rest": True})


@rule(
    "show_more_at_once",
    "show the policy twice as much of what a search found",
    "the evidence of {unshown:.0%} of the failures was found, but the policy was not shown it",
    "the policy reads what it found",
    lambda p, piece: 0.4 * p.unshown if _may_double(piece, "observation_tokens", _MOST_SHOWN) else 0.0,
)
def _show_more_at_once_rule(piece: Workpiece, profile: Profile) -> None:
    _double(piece, "observation_tokens", _MOST_SHOWN)


@rule(
    "search_more_often",
    "let the policy search more often",
    "the policy used up its steps without finding the evidence of {used_up:.0%} of the failures",
    "further searches find what the first ones missed",
    lambda p, piece: 0.3 * p.used_up if _may_double(piece, "max_steps", _MOST_STEPS) else 0.0,
)
def _search_more_often_rule(piece: Workpiece, profile: Profile) -> None:
    _double(piece, "max_steps", _MOST_STEPS)


@rule(
    "without_policy",
    "search once, without the policy",
    "the policy kept no note of the evidence of {not_kept:.0%} of the failures, or stopped too early: "
    "{stopped_early:.0%}",
    "what the cascade finds is ranked as it is",
    lambda p, piece: 0.2 * (p.not_kept + p.stopped_early) if piece.policy is not None else 0.0,
)
def _without_policy_rule(piece: Workpiece, profile: Profile) -> None:
    piece.unwrap_policy()


@rule(
    "step_by_step",
    "let a policy search step by step",
    "{several:.0%} of the failures need several records, and {missed:.0%} have evidence that was not found or ranked "
    "too low",
    "what the first search does not cover is searched for by itself",
    lambda p, piece: 0.08 * p.several * p.missed if _may_wrap(piece) else 0.0,
)
def _step_by_step_rule(piece: Workpiece, profile: Profile) -> None:
    piece.wrap_policy()


def _may_wrap(piece: Workpiece) -> bool:
    return piece.policy is None and piece.registry.get("cascade", "policy") is not None


POLICY_RULES = (
    _rest_after_notes_rule,
    _show_more_at_once_rule,
    _search_more_often_rule,
    _without_policy_rule,
    _step_by_step_rule,
)
"""In order of the text above; which one is tried first is a matter of what they expect."""
