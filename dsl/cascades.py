"""Typed checks of a cascade: open rankings, scores with and without a scale, the stores and views that stages read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from designsearch.dsl.design import MAIN
from designsearch.dsl.drafts import Draft, Drafter
from designsearch.dsl.paths import Path, show_path
from designsearch.dsl.problems import nearest
from designsearch.dsl.stores import Stores


@dataclass(frozen=True, slots=True)
class Open:
    """A ranking that waits to be fused or refined.

    Attributes:
        path: the stage that gave it its scores.
        op: that stage's operator.
        scaled: whether its scores have a scale.
    """

    path: Path
    op: str
    scaled: bool


def check_cascade(stages: Sequence[Draft], path: Path, stores: Stores | None, drafter: Drafter) -> Open | None:
    """Report what is wrong in a cascade and those inside it; the one ranking that it ends in, if it does."""
    rankings: list[Open] = []
    known = True
    for i, draft in enumerate(stages):
        _check_names(draft, stores, drafter)
        inner = [check_cascade(cascade, place, stores, drafter) for place, cascade in draft.cascades()]
        if draft.operator is None:
            known = False  # the counts after an unknown operator would only be guesses
        if known:
            _check_when(draft, rankings, drafter)
            rankings = _step(draft, rankings, inner, _searches(stages[i + 1 :]), drafter)
    if not known:
        return None
    return _end(stages, path, rankings, drafter)


def _searches(later: Sequence[Draft]) -> bool:
    return any(d.operator is not None and d.operator.stage in ("retrieve", "branch") for d in later)


def _step(draft: Draft, rankings: list[Open], inner: list[Open | None], searches: bool, drafter: Drafter) -> list[Open]:
    assert draft.operator is not None
    op = draft.operator
    if op.stage == "query":
        if not searches:
            drafter.report(draft.path, f"{op.name} changes the queries, but no stage after it searches", "move it up")
        return rankings
    if op.stage in ("retrieve", "branch"):
        if op.stage == "branch":
            _check_branch(draft, drafter)
        return [*rankings, Open(draft.path, op.name, _scale_found(draft, inner))]
    if op.stage == "fuse":
        return _fuse(draft, rankings, drafter)
    return _refine(draft, rankings, drafter)


def _scale_found(draft: Draft, inner: list[Open | None]) -> bool:
    """Whether a searching stage leaves scores with a scale; a branch that keeps scores takes them from within."""
    assert draft.operator is not None
    if draft.operator.scale != "keeps":
        return draft.operator.scale == "scaled"
    fuse = draft.get("fuse")
    if isinstance(fuse, Draft) and fuse.operator is not None and fuse.operator.scale != "keeps":
        return fuse.operator.scale == "scaled"
    return all(found is not None and found.scaled for found in inner)


def _check_branch(draft: Draft, drafter: Drafter) -> None:
    assert draft.operator is not None
    branches, fuse = draft.get("branches"), draft.get("fuse")
    if isinstance(fuse, Draft) and fuse.operator is not None and fuse.operator.stage != "fuse":
        drafter.report((*fuse.path, "op"), f"{fuse.operator.name} does not fuse", _fusers(drafter))
    if isinstance(branches, dict):
        if not branches:
            drafter.report((*draft.path, "branches"), f"{draft.operator.name} needs at least one branch")
        if len(branches) > 1 and fuse is None:
            message = f"{draft.operator.name} has {len(branches)} branches and nothing that makes one ranking of them"
            drafter.report(draft.path, message, "add fuse: {op: rrf}")


def _fusers(drafter: Drafter) -> str:
    return f"fuse with {', '.join(op.name for op in drafter.registry if op.stage == 'fuse')}"


def _fuse(draft: Draft, rankings: list[Open], drafter: Drafter) -> list[Open]:
    assert draft.operator is not None
    name = draft.operator.name
    if len(rankings) < 2:
        found = f"only one is open here ({_named(rankings)})" if rankings else "none is open here"
        hint = "remove it, or add another retriever before it"
        drafter.report(draft.path, f"{name} fuses at least two rankings; {found}", hint)
    scaled = draft.operator.scale == "scaled" or (draft.operator.scale == "keeps" and all(r.scaled for r in rankings))
    return [Open(draft.path, name, scaled)]


def _refine(draft: Draft, rankings: list[Open], drafter: Drafter) -> list[Open]:
    assert draft.operator is not None
    op = draft.operator
    if not rankings:
        drafter.report(draft.path, f"{op.name} has no ranking to work on", "put a retriever before it")
        return [Open(draft.path, op.name, scaled=True)]
    if len(rankings) > 1:
        message = f"{op.name} works on one ranking, but {len(rankings)} are open ({_named(rankings)})"
        drafter.report(draft.path, message, f"fuse them first, as with {{op: {_first_fuser(drafter)}}}")
        return [Open(draft.path, op.name, scaled=True)]
    ranking = rankings[0]
    if op.needs_scale and not ranking.scaled:
        drafter.report(
            draft.path,
            f"{op.name} compares scores that have no scale: those of {_named([ranking])}",
            "use take, or put it right after a retriever whose scores have one",
        )
    return [ranking if op.scale == "keeps" else Open(draft.path, op.name, op.scale == "scaled")]


def _first_fuser(drafter: Drafter) -> str:
    names = [op.name for op in drafter.registry if op.stage == "fuse"]
    return "rrf" if "rrf" in names or not names else names[0]


def _named(rankings: Sequence[Open]) -> str:
    return ", ".join(f"{r.op} at {show_path(r.path)}" for r in rankings)


def _end(stages: Sequence[Draft], path: Path, rankings: list[Open], drafter: Drafter) -> Open | None:
    if len(rankings) == 1:
        return rankings[0]
    if not rankings:
        at = stages[0].path if stages else path
        drafter.report(at, "the cascade finds nothing: no stage of it searches", "add a retriever")
        return None
    message = f"the cascade ends with {len(rankings)} open rankings ({_named(rankings)})"
    drafter.report(stages[-1].path, message, f"fuse them, as with {{op: {_first_fuser(drafter)}}}")
    return None


def _check_when(draft: Draft, rankings: list[Open], drafter: Drafter) -> None:
    if draft.when is None or draft.operator is None:
        return
    path = (*draft.path, "when")
    if draft.operator.stage == "fuse":
        drafter.report(path, f"{draft.operator.name} cannot depend on a test: without it several rankings stay open")
    elif draft.when.subject.startswith("ranking.") and len(rankings) != 1:
        found = f"{len(rankings)} are ({_named(rankings)})" if rankings else "none is"
        drafter.report(path, f"{draft.when.subject} asks about the one open ranking; {found} open here")
    elif draft.when.subject == "ranking.top_score" and not rankings[0].scaled:
        message = f"ranking.top_score compares scores that have no scale: those of {_named(rankings)}"
        drafter.report(path, message, "use ranking.size, or a retriever whose scores have one")


def _check_names(draft: Draft, stores: Stores | None, drafter: Drafter) -> None:
    """The store and the views that a stage names exist."""
    if stores is None or draft.operator is None:
        return
    store = draft.get("store") if draft.has("store") else None
    if isinstance(store, str) and store not in stores:
        hint = nearest(store, stores) or f"the stores are {', '.join(stores)}"
        drafter.report((*draft.path, "store"), f"there is no store {store}", hint)
        return
    if store is None and len(stores) > 1 and draft.operator.stage == "retrieve" and draft.has("store"):
        message = f"{draft.operator.name} must name its store: the design has several"
        drafter.report(draft.path, message, f"add store: {' or '.join(stores)}")
        return
    searched = {store: stores[store]} if isinstance(store, str) else stores
    for place, view in _views_named(draft):
        _check_view(view, (*draft.path, *place), searched, drafter)


def _views_named(draft: Draft) -> Iterator[tuple[Path, str]]:
    """The views that a stage names: ``view``, ``views``, and behind the dot of a feature (``cosine.window``)."""
    values: dict[str, Any] = {name: draft.get(name) for name in ("view", "views", "features") if draft.has(name)}
    for name, value in values.items():
        if isinstance(value, str):
            yield (name,), value
        elif isinstance(value, list | tuple):
            yield from (((name, i), view) for i, view in enumerate(value) if isinstance(view, str))
        elif isinstance(value, dict):
            yield from (((name, key), key.split(".", 1)[1]) for key in value if "." in key)


def _check_view(view: str, path: Path, stores: Stores, drafter: Drafter) -> None:
    lacking = [store for store, views in stores.items() if view not in views]
    if lacking:
        choices = sorted(frozenset.intersection(*stores.values()))
        where = f" in store {lacking[0]}" if lacking != [MAIN] else ""
        hint = nearest(view, choices) or f"the views are {', '.join(choices)}"
        drafter.report(path, f"there is no view {view}{where}", hint)
