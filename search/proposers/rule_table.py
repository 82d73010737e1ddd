"""An expert's table: what to try for which failures, and how much of them it may repair.

A rule's ``expected`` is the share of the failures that it may repair, given their profile; 0 where it does not apply.
The figures are rough on purpose: they order the attempts, the validation questions decide.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from designsearch.dsl.grammar import DEFAULT_ITEM
from designsearch.search.proposers.profile import Profile
from designsearch.search.proposers.structure import RRF
from designsearch.search.proposers.workpiece import Stage, Workpiece


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the table.

    Attributes:
        name: as proposals name it.
        does: the change in words.
        because: the reason in words, with figures of the profile in braces.
        hopes: what should become better.
        expected: the share of the failures that it may repair.
        change: makes the edits.
    """

    name: str
    does: str
    because: str
    hopes: str
    expected: Callable[[Profile, Workpiece], float]
    change: Callable[[Workpiece, Profile], None]


RULES: list[Rule] = []
"""All rules; which one is tried first is a matter of what they expect."""

_ENOUGH = 0.9
"""Share of lost evidence in one role from which on the other roles are left out of the store."""

_WORTH = 0.2
"""Share of the context that other roles must take up for that."""

_DEEP = 500
"""How many units a retriever brings at most after its number was raised."""


def rule(
    name: str, does: str, because: str, hopes: str, expected: Callable[[Profile, Workpiece], float]
) -> Callable[[Callable[[Workpiece, Profile], None]], Callable[[Workpiece, Profile], None]]:
    """Add the decorated change to the table."""

    def add(change: Callable[[Workpiece, Profile], None]) -> Callable[[Workpiece, Profile], None]:
        RULES.append(Rule(name, does, because, hopes, expected, change))
        return change

    return add


# ------------------------------------------------------------------ what is stored


def _one_role(profile: Profile, piece: Workpiece) -> float:
    if not profile.role or profile.role_share < _ENOUGH or profile.others_share < _WORTH:
        return 0.0
    if piece.units.get("roles") or piece.registry.get("units", "turns") is None:
        return 0.0
    return (profile.crowded_out + 0.3 * profile.not_retrieved) * profile.others_share


@rule(
    "one_role",
    "store only what {role} says",
    "{role_share:.0%} of the lost evidence was said by {role}, while others take up {others_share:.0%} of the context",
    "the budget goes to the records that hold the evidence",
    _one_role,
)
def _store_one_role(piece: Workpiece, profile: Profile) -> None:
    kept = {key: value for key, value in piece.units.items() if key == "sources"}
    piece.set((*piece.store_path, "units"), {"op": "turns", "roles": [profile.role], **kept})


@rule(
    "store_everything",
    "store every record as it stands",
    "the evidence of {not_stored:.0%} of the failures is in no unit, that of {altered:.0%} in other words",
    "every record is stored as it stands",
    lambda p, piece: 0.8 * (p.not_stored + p.altered) if dict(piece.units) != {"op": "records"} else 0.0,
)
def _store_everything(piece: Workpiece, profile: Profile) -> None:
    piece.set((*piece.store_path, "units"), {"op": "records"})


@rule(
    "smaller_units",
    "store windows of 120 words",
    "lost evidence has {words:.0f} words on average: one unit more of that size does not fit",
    "more units of fewer words fit into the budget",
    lambda p, piece: 0.1 * p.crowded_out if p.words > 120 and piece.units.get("op") != "windows" else 0.0,
)
def _smaller_units(piece: Workpiece, profile: Profile) -> None:
    piece.set((*piece.store_path, "units"), {"op": "windows", "size": 120, "overlap": 30})


# ------------------------------------------------------------------ how it is found


def _k(piece: Workpiece) -> int:
    """How many units the retrievers bring; a new one brings as many."""
    return max((int(s.get("k", 200)) for s in piece.stages if piece.kind(s) == "retrieve"), default=200)


def _search(piece: Workpiece, op: str, view: str = "raw") -> None:
    stage: dict[str, Any] = {"op": op} | ({"view": view} if view != "raw" else {}) | {"k": _k(piece)}
    if not piece.searches(op, view):
        piece.add_retriever(stage, RRF)


def _search_view(piece: Workpiece, name: str, view: Stage) -> None:
    """Search a view by words and by meaning."""
    found = piece.add_view(name, view)
    for op in ("dense", "bm25"):
        _search(piece, op, found)


def _missed(profile: Profile, piece: Workpiece) -> float:
    """Share of failures that another way to search may repair.

    Once a ``score`` orders the candidates, these are only failures whose evidence does not reach it.
    """
    found_but_low = 0.0 if _has(piece, "score") else profile.crowded_out
    return profile.not_retrieved + profile.dropped + found_but_low


def _lacks(piece: Workpiece, view: str) -> bool:
    return all(written.get("op") != view for written in piece.views.values())


@rule(
    "add_dense",
    "search by meaning too",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low",
    "what is said in other words is found by meaning",
    lambda p, piece: 0.25 * _missed(p, piece) if not any(s.get("op") == "dense" for s in piece.stages) else 0.0,
)
def _add_dense(piece: Workpiece, profile: Profile) -> None:
    _search(piece, "dense")


@rule(
    "add_bm25",
    "search by words too",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low",
    "names and numbers are found by their words",
    lambda p, piece: 0.25 * _missed(p, piece) if not any(s.get("op") == "bm25" for s in piece.stages) else 0.0,
)
def _add_bm25(piece: Workpiece, profile: Profile) -> None:
    _search(piece, "bm25")


@rule(
    "search_windows",
    "search each unit with the units around it, by words and by meaning",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low: it may be short and without "
    "the words around it",
    "a short unit is found by what stands beside it, and shown alone",
    lambda p, piece: 0.3 * _missed(p, piece) if _lacks(piece, "window") else 0.0,
)
def _search_windows(piece: Workpiece, profile: Profile) -> None:
    _search_view(piece, "window", {"op": "window", "before": 1, "after": 1})


@rule(
    "search_replies",
    "search each unit with the reply to it, by words and by meaning",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low, and other roles answer it",
    "a message is found by the words of the reply to it, and shown alone",
    lambda p, piece: 0.28 * _missed(p, piece) if p.role and _lacks(piece, "roles") else 0.0,
)
def _search_replies(piece: Workpiece, profile: Profile) -> None:
    _search_view(piece, "reply", {"op": "roles", "before": 0, "after": 1})


@rule(
    "search_metadata",
    "search each unit with its date, author and source",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low: the question may name a date, "
    "a person or a document",
    "dates, names and titles are searched together with the text",
    lambda p, piece: 0.1 * _missed(p, piece) if _lacks(piece, "metadata") else 0.0,
)
def _search_metadata(piece: Workpiece, profile: Profile) -> None:
    _search(piece, "bm25", piece.add_view("described", {"op": "metadata"}))


@rule(
    "search_sessions",
    "search each unit with its whole session, by words and by meaning",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low, whatever stands near it",
    "a unit is found by what its session is about",
    lambda p, piece: 0.12 * _missed(p, piece) if _lacks(piece, "session_text") else 0.0,
)
def _search_sessions(piece: Workpiece, profile: Profile) -> None:
    _search_view(piece, "whole_session", {"op": "session_text"})


@rule(
    "more_candidates",
    "bring three times as many candidates",
    "a stage of the cascade dropped the evidence of {dropped:.0%} of the failures, {not_retrieved:.0%} were never "
    "ranked",
    "more candidates reach the end of the cascade",
    lambda p, piece: 0.5 * p.dropped + 0.15 * p.not_retrieved if _shallow(piece) else 0.0,
)
def _more_candidates(piece: Workpiece, profile: Profile) -> None:
    for i, stage in enumerate(piece.stages):
        k = _depth(piece, stage)
        if k is not None and k < _DEEP:
            piece.set(("retrieval", i, "k"), min(_DEEP, 3 * k))


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
    lambda p, piece: 0.15 * p.several * _missed(p, piece) if not _has(piece, "neighbors") else 0.0,
)
def _neighbors(piece: Workpiece, profile: Profile) -> None:
    piece.add_refine({"op": "neighbors", "before": 1, "after": 1, "top": 20})


@rule(
    "feedback",
    "add words of the first hits to the question",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low: the question may use other words",
    "words of the first hits join the question",
    lambda p, piece: 0.1 * _missed(p, piece) if not _has(piece, "prf") and _has(piece, "bm25") else 0.0,
)
def _feedback(piece: Workpiece, profile: Profile) -> None:
    piece.insert(("retrieval", 0), {"op": "prf", "feedback": [{"op": "bm25", "k": 20}]})


@rule(
    "stop_words",
    "leave out stop words",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low",
    "words without content no longer count",
    lambda p, piece: 0.08 * _missed(p, piece) if _keeps_stop_words(piece) else 0.0,
)
def _stop_words(piece: Workpiece, profile: Profile) -> None:
    for i, stage in enumerate(piece.stages):
        if stage.get("op") == "bm25":
            piece.set(("retrieval", i, "stopwords"), "english")


@rule(
    "even_lengths",
    "hold long units back less (k1 0.9, b 0.4)",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low",
    "long units that hold the evidence rise",
    lambda p, piece: 0.06 * _missed(p, piece) if any(s.get("b", 0.75) > 0.4 for s in _bm25(piece)) else 0.0,
)
def _even_lengths(piece: Workpiece, profile: Profile) -> None:
    for i, stage in enumerate(piece.stages):
        if stage.get("op") == "bm25":
            piece.set(("retrieval", i, "k1"), 0.9)
            piece.set(("retrieval", i, "b"), 0.4)


@rule(
    "fuse_by_score",
    "fuse by scores instead of ranks",
    "{missed:.0%} of the failures have evidence that was not found or ranked too low",
    "how far a hit is ahead counts, not only its rank",
    lambda p, piece: 0.07 * _missed(p, piece) if _has(piece, "rrf") else 0.0,
)
def _fuse_by_score(piece: Workpiece, profile: Profile) -> None:
    for i, stage in enumerate(piece.stages):
        if stage.get("op") == "rrf":
            piece.set(("retrieval", i), {"op": "weighted_sum"})


@rule(
    "no_repeats",
    "show once what is said twice",
    "the budget was full before the evidence of {crowded_out:.0%} of the failures had its turn",
    "what is said twice is shown once",
    lambda p, piece: 0.05 * p.crowded_out if not _has(piece, "dedupe") else 0.0,
)
def _no_repeats(piece: Workpiece, profile: Profile) -> None:
    piece.add_refine({"op": "dedupe"})


def _has(piece: Workpiece, op: str) -> bool:
    return any(stage.get("op") == op for stage in piece.stages)


def _keeps_stop_words(piece: Workpiece) -> bool:
    return any(stage.get("stopwords", "none") == "none" for stage in _bm25(piece))


def _bm25(piece: Workpiece) -> list[Stage]:
    return [stage for stage in piece.stages if stage.get("op") == "bm25"]


# ------------------------------------------------------------------ how it is shown


def _items(piece: Workpiece) -> list[str]:
    return [str(piece.layout(section).get("item", DEFAULT_ITEM)) for section in piece.sections]


def _speaks(piece: Workpiece, item: str) -> str:
    """The item without its date, and with the author only where it had one and there are several."""
    one_role = len(piece.units.get("roles") or ()) == 1
    return "{{ unit.author }}: {{ unit.text }}" if "unit.author" in item and not one_role else DEFAULT_ITEM


def _dated(piece: Workpiece) -> bool:
    return any("unit.time" in item for item in _items(piece))


def _says_when(piece: Workpiece) -> bool:
    """Whether the reader of a context can tell when something was said: from each item, or from titles."""
    return _dated(piece) or any(piece.layout(section).get("group_by") == "day" for section in piece.sections)


@rule(
    "dates_as_titles",
    "say dates as titles of days",
    "the budget was full before the evidence of {crowded_out:.0%} of the failures had its turn, and every item "
    "repeats its date",
    "a date is said once a day, and more items fit",
    lambda p, piece: 0.2 * p.crowded_out if _dated(piece) else 0.0,
)
def _dates_as_titles(piece: Workpiece, profile: Profile) -> None:
    for section in piece.sections:
        item = str(piece.layout(section).get("item", DEFAULT_ITEM))
        piece.set((*section, "item"), _speaks(piece, item))
        piece.set((*section, "order"), "chronological")
        piece.set((*section, "group_by"), "day")
        piece.set((*section, "group"), "[{{ group }}]")


@rule(
    "no_authors",
    "leave out the author of each item",
    "the budget was full before the evidence of {crowded_out:.0%} of the failures had its turn, and who speaks is "
    "{role} throughout",
    "shorter items, of which more fit",
    lambda p, piece: 0.12 * p.crowded_out if _names_one_author(piece) else 0.0,
)
def _no_authors(piece: Workpiece, profile: Profile) -> None:
    for section in piece.sections:
        item = str(piece.layout(section).get("item", DEFAULT_ITEM))
        piece.set((*section, "item"), item.replace("{{ unit.author }}: ", ""))


def _names_one_author(piece: Workpiece) -> bool:
    one_role = len(piece.units.get("roles") or ()) == 1
    return one_role and any("{{ unit.author }}: " in item for item in _items(piece))


@rule(
    "fill_up",
    "skip units that do not fit",
    "the budget was full before the evidence of {crowded_out:.0%} of the failures had its turn",
    "a unit that does not fit is skipped, and smaller ones after it still enter",
    lambda p, piece: 0.3 * p.crowded_out if any(_stops(piece)) else 0.0,
)
def _fill_up(piece: Workpiece, profile: Profile) -> None:
    for section, stops in zip(piece.sections, _stops(piece), strict=True):
        if stops:
            piece.set((*section, "fill"), "skip")
            if piece.layout(section).get("max_units") is not None:
                piece.set((*section, "max_units"), None)


def _stops(piece: Workpiece) -> list[bool]:
    layouts = [piece.layout(section) for section in piece.sections]
    return [layout.get("fill") == "stop" or layout.get("max_units") is not None for layout in layouts]


@rule(
    "say_when",
    "show day and author, in order of time",
    "{answering:.0%} of the failures had all their evidence in the context",
    "the answerer sees who said what when, in order",
    lambda p, piece: 0.15 * p.answering if not _says_when(piece) else 0.0,
)
def _say_when(piece: Workpiece, profile: Profile) -> None:
    for section in piece.sections:
        piece.set((*section, "item"), "[{{ unit.time | day }}] {{ unit.author }}: {{ unit.text }}")
        piece.set((*section, "order"), "chronological")


@rule(
    "best_at_the_ends",
    "put the best at both ends",
    "{answering:.0%} of the failures had all their evidence in the context",
    "what ranks best stands where it is read best",
    lambda p, piece: 0.05 * p.answering if piece.layout(piece.sections[0]).get("order") != "edges" else 0.0,
)
def _best_at_the_ends(piece: Workpiece, profile: Profile) -> None:
    for section in piece.sections:
        piece.set((*section, "order"), "edges")
