"""Rules about how evidence is found."""

from __future__ import annotations

from typing import Any

from designsearch.search.proposers.profile import Profile
from designsearch.search.proposers.rule import has, rule
from designsearch.search.proposers.structure import RRF
from designsearch.search.proposers.workpiece import Stage, Workpiece

_DEEP = 500
"""How many units a retriever brings at most after its number was raised."""


def _k(piece: Workpiece) -> int:
    """How many units the retrievers bring; a new one brings as many."""
    return max((int(s.get("k", 200)) for s in piece.stages if piece.kind(s) == "retrieve"), default=200)


def _search(piece: Workpiece, op: str, view: str = "raw") -> None:
    stage: dict[str, Any] = {"op": op} | ({"view": view} if view != "raw" else {}) | {"k": _k(piece)}
    if not piece.searches(op, view):
        piece.add_retriever(stage, RRF)


def search_view(piece: Workpiece, name: str, view: Stage) -> None:
    """Search a view by words and by meaning; it is added where the design has none like it."""
    found = piece.add_view(name, view)
    for op in ("dense", "bm25"):
        _search(piece, op, found)


def missed(profile: Profile, piece: Workpiece) -> float:
    """Share of failures that another way to search may repair.

    Once a ``score`` orders the candidates, these are only failures whose evidence does not reach it.
    """
    found_but_low = 0.0 if has(piece, "score") else profile.crowded_out
    return profile.not_retrieved + profile.stopped_early + profile.dropped + found_but_low


def lacks(piece: Workpiece, view: str) -> bool:
    """Whether the design has no view of that operator."""
    return all(written.get("op") != view for written in piece.views.values())


@rule(
    "add_dense",
    "search by meaning too",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low",
    "what is said in other words is found by meaning",
    lambda p, piece: 0.25 * missed(p, piece) if not any(s.get("op") == "dense" for s in piece.stages) else 0.0,
)
def _add_dense_rule(piece: Workpiece, profile: Profile) -> None:
    _search(piece, "dense")


@rule(
    "add_bm25",
    "search by words too",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low",
    "names and numbers are found by their words",
    lambda p, piece: 0.25 * missed(p, piece) if not any(s.get("op") == "bm25" for s in piece.stages) else 0.0,
)
def _add_bm25_rule(piece: Workpiece, profile: Profile) -> None:
    _search(piece, "bm25")


@rule(
    "search_windows",
    "search each unit with the units around it, by words and by meaning",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low: it may be short and without "
    "the words around it",
    "a short unit is found by what stands beside it, and shown alone",
    lambda p, piece: 0.3 * missed(p, piece) if lacks(piece, "window") else 0.0,
)
def _search_windows_rule(piece: Workpiece, profile: Profile) -> None:
    search_view(piece, "window", {"op": "window", "before": 1, "after": 1})


@rule(
    "search_replies",
    "search each unit with the reply to it, by words and by meaning",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low, and other roles answer it",
    "a message is found by the words of the reply to it, and shown alone",
    lambda p, piece: 0.28 * missed(p, piece) if p.role and lacks(piece, "roles") else 0.0,
)
def _search_replies_rule(piece: Workpiece, profile: Profile) -> None:
    search_view(piece, "reply", {"op": "roles", "before": 0, "after": 1})


@rule(
    "search_metadata",
    "search each unit with its date, author and source",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low: the question may name a date, "
    "a person or a document",
    "dates, names and titles are searched together with the text",
    lambda p, piece: 0.1 * missed(p, piece) if lacks(piece, "metadata") else 0.0,
)
def _search_metadata_rule(piece: Workpiece, profile: Profile) -> None:
    _search(piece, "bm25", piece.add_view("described", {"op": "metadata"}))


@rule(
    "search_sessions",
    "search each unit with its whole session, by words and by meaning",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low, whatever stands near it",
    "a unit is found by what its session is about",
    lambda p, piece: 0.12 * missed(p, piece) if lacks(piece, "session_text") else 0.0,
)
def _search_sessions_rule(piece: Workpiece, profile: Profile) -> None:
    search_view(piece, "whole_session", {"op": "session_text"})


@rule(
    "more_candidates",
    "bring three times as many candidates",
    "a stage of the cascade dropped the evidence of {dropped:.0%} of the failures, {not_retrieved:.0%} were never "
    "ranked",
    "more candidates reach the end of the cascade",
    lambda p, piece: 0.5 * p.dropped + 0.15 * p.not_retrieved if _shallow(piece) else 0.0,
)
def _more_candidates_rule(piece: Workpiece, profile: Profile) -> None:
    for i, stage in enumerate(piece.stages):
        k = _depth(piece, stage)
        if k is not None and k < _DEEP:
            piece.set((*piece.cascade, i, "k"), min(_DEEP, 3 * k))


def _depth(piece: Workpiece, stage: Stage) -> int | None:
    operator = piece.operator(stage)
    if operator is None or operator.stage not in ("retrieve", "refine") or "k" not in operator.params.model_fields:
        return None
    return int(stage.get("k", operator.params.model_fields["k"].get_default()))


def _shallow(piece: Workpiece) -> bool:
    return any((k := _depth(piece, stage)) is not None and k < _DEEP for stage in piece.stages)


@rule(
    "neighbors",
    "bring the units beside each of the first hits",
    "{several:.0%} of the failures need several records, and those often stand together",
    "what stands beside a hit comes with it",
    lambda p, piece: 0.15 * p.several * missed(p, piece) if not has(piece, "neighbors") else 0.0,
)
def _neighbors_rule(piece: Workpiece, profile: Profile) -> None:
    piece.add_refine({"op": "neighbors", "before": 1, "after": 1, "top": 20})


@rule(
    "feedback",
    "add words of the first hits to the question",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low: the question may use other words",
    "words of the first hits join the question",
    lambda p, piece: 0.1 * missed(p, piece) if not has(piece, "prf") and has(piece, "bm25") else 0.0,
)
def _feedback_rule(piece: Workpiece, profile: Profile) -> None:
    piece.insert((*piece.cascade, 0), {"op": "prf", "feedback": [{"op": "bm25", "k": 20}]})


@rule(
    "stop_words",
    "leave out stop words",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low",
    "words without content no longer count",
    lambda p, piece: 0.08 * missed(p, piece) if _keeps_stop_words(piece) else 0.0,
)
def _stop_words_rule(piece: Workpiece, profile: Profile) -> None:
    for i, stage in enumerate(piece.stages):
        if stage.get("op") == "bm25":
            piece.set((*piece.cascade, i, "stopwords"), "english")


@rule(
    "even_lengths",
    "hold long units back less (k1 0.9, b 0.4)",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low",
    "long units that hold the evidence rise",
    lambda p, piece: 0.06 * missed(p, piece) if any(s.get("b", 0.75) > 0.4 for s in _bm25(piece)) else 0.0,
)
def _even_lengths_rule(piece: Workpiece, profile: Profile) -> None:
    for i, stage in enumerate(piece.stages):
        if stage.get("op") == "bm25":
            piece.set((*piece.cascade, i, "k1"), 0.9)
            piece.set((*piece.cascade, i, "b"), 0.4)


@rule(
    "fuse_by_score",
    "fuse by scores instead of ranks",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low",
    "how far a hit is ahead counts, not only its rank",
    lambda p, piece: 0.07 * missed(p, piece) if has(piece, "rrf") else 0.0,
)
def _fuse_by_score_rule(piece: Workpiece, profile: Profile) -> None:
    for i, stage in enumerate(piece.stages):
        if stage.get("op") == "rrf":
            piece.set((*piece.cascade, i), {"op": "weighted_sum"})


@rule(
    "no_repeats",
    "show once what is said twice",
    "the budget was full before the evidence of {crowded_out:.0%} of the failures had its turn",
    "what is said twice is shown once",
    lambda p, piece: 0.05 * p.crowded_out if not has(piece, "dedupe") else 0.0,
)
def _no_repeats_rule(piece: Workpiece, profile: Profile) -> None:
    piece.add_refine({"op": "dedupe"})


def _keeps_stop_words(piece: Workpiece) -> bool:
    return any(stage.get("stopwords", "none") == "none" for stage in _bm25(piece))


def _bm25(piece: Workpiece) -> list[Stage]:
    return [stage for stage in piece.stages if stage.get("op") == "bm25"]


SEARCH_RULES = (
    _add_dense_rule,
    _add_bm25_rule,
    _search_windows_rule,
    _search_replies_rule,
    _search_metadata_rule,
    _search_sessions_rule,
    _more_candidates_rule,
    _neighbors_rule,
    _feedback_rule,
    _stop_words_rule,
    _even_lengths_rule,
    _fuse_by_score_rule,
    _no_repeats_rule,
)
"""In order of the text above; which one is tried first is a matter of what they expect."""
