"""Rules that put the study's helper to work; they come after those that call no model."""

from __future__ import annotations

from designsearch.dsl.operators import Slot
from designsearch.search.proposers.profile import Profile
from designsearch.search.proposers.rule import has, rule
from designsearch.search.proposers.search_rules import lacks, missed, search_view
from designsearch.search.proposers.workpiece import Workpiece


def _may_add(piece: Workpiece, op: str, slot: Slot = "cascade") -> bool:
    """Whether there is a helper and the operator, and the design does not use it."""
    used = has(piece, op) if slot == "cascade" else not lacks(piece, op)
    return piece.helper and piece.registry.get(slot, op) is not None and not used


@rule(
    "rerank",
    "let the helper order the first candidates",
    "evidence was ranked and then lost in {ranked_low:.0%} of the failures, at rank {rank:.0f} in the middle case",
    "a model that reads question and candidate together raises the evidence",
    lambda p, piece: 0.4 * p.ranked_low if _may_add(piece, "rerank") else 0.0,
    calls_model=True,
)
def _rerank_rule(piece: Workpiece, profile: Profile) -> None:
    piece.add_refine({"op": "rerank"})


@rule(
    "other_wordings",
    "search for the question in other wordings too",
    "the evidence of {not_retrieved:.0%} of the failures was not found",
    "evidence is found that uses other words than the question",
    lambda p, piece: 0.25 * p.not_retrieved if _may_add(piece, "multi_query") else 0.0,
    calls_model=True,
)
def _other_wordings_rule(piece: Workpiece, profile: Profile) -> None:
    piece.insert((*piece.cascade, 0), {"op": "multi_query"})


@rule(
    "invented_passages",
    "search by invented passages too",
    "the evidence of {not_retrieved:.0%} of the failures was not found",
    "evidence is found that reads like an answer, not like the question",
    lambda p, piece: 0.22 * p.not_retrieved if _may_add(piece, "hyde") and has(piece, "dense") else 0.0,
    calls_model=True,
)
def _invented_passages_rule(piece: Workpiece, profile: Profile) -> None:
    piece.insert((*piece.cascade, 0), {"op": "hyde"})


@rule(
    "parts_of_questions",
    "search for the parts of a question too",
    "{several:.0%} of the failures need several records, and {missed:.0%} have evidence that was not found or ranked "
    "too low",
    "each record that a question needs is searched for by its own part of the question",
    lambda p, piece: 0.25 * p.several * missed(p, piece) if _may_add(piece, "decompose") else 0.0,
    calls_model=True,
)
def _parts_of_questions_rule(piece: Workpiece, profile: Profile) -> None:
    piece.insert((*piece.cascade, 0), {"op": "decompose"})


@rule(
    "search_questions",
    "search each unit by the questions that it answers",
    "the evidence of {not_retrieved:.0%} of the failures was not found",
    "a unit is found by a question like the one asked, and shown as it stands",
    lambda p, piece: 0.2 * p.not_retrieved if _may_add(piece, "questions", "views") else 0.0,
    calls_model=True,
)
def _search_questions_rule(piece: Workpiece, profile: Profile) -> None:
    search_view(piece, "asked", {"op": "questions"})


@rule(
    "check_answers",
    "have the answer checked against the context",
    "{answering:.0%} of the failures had all their evidence in the context",
    "what the context does not support is answered again",
    lambda p, piece: 0.1 * p.answering if piece.helper and not _checks(piece) else 0.0,
    calls_model=True,
)
def _check_answers_rule(piece: Workpiece, profile: Profile) -> None:
    piece.set(("answer", "check"), {})


def _checks(piece: Workpiece) -> bool:
    return (piece.tree.get("answer") or {}).get("check") is not None


MODEL_RULES = (
    _rerank_rule,
    _other_wordings_rule,
    _invented_passages_rule,
    _parts_of_questions_rule,
    _search_questions_rule,
    _check_answers_rule,
)
"""In order of the text above; which one is tried first is a matter of what they expect."""
