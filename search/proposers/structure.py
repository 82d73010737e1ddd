"""All small changes of a design's structure: add, remove or swap a stage, another unit, another view, another context.

They come from the registry, so that a new operator takes part without anything being edited here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from designsearch.dsl.operators import Operator, StageKind
from designsearch.search.proposers.workpiece import Workpiece

RRF = {"op": "rrf"}

Change = Callable[[Workpiece], None]


@dataclass(frozen=True, slots=True)
class Move:
    """One change.

    Attributes:
        kind: what sort of change it is, as in ``add retriever``.
        what: the change in words.
        change: makes it.
    """

    kind: str
    what: str
    change: Change


def moves(piece: Workpiece) -> Iterator[Move]:
    """Every move from a design; some may not give a valid design."""
    yield from _retrievers(piece)
    yield from _views(piece)
    yield from _removals(piece)
    yield from _swaps(piece)
    yield from _refinements(piece)
    yield from _feedback(piece)
    yield from _units(piece)
    yield from _contexts(piece)
    yield from _policies(piece)


def usable(piece: Workpiece, kind: StageKind) -> list[Operator]:
    """Operators of a kind that the study has what is needed for, and that work with their defaults alone."""
    return [
        op
        for op in piece.registry
        if op.stage == kind
        and piece.usable(op)
        and not any(info.is_required() for info in op.params.model_fields.values())
    ]


def _retrievers(piece: Workpiece) -> Iterator[Move]:
    views = ["raw", *piece.brought, *piece.views]
    for op in usable(piece, "retrieve"):
        for view in views if "view" in op.params.model_fields else [""]:
            stage = {"op": op.name} | ({"view": view} if view not in ("", "raw") else {})
            if any(op.name == s.get("op") and (view or "raw") == s.get("view", "raw") for s in piece.stages):
                continue
            where = f" over {view}" if view else ""
            yield Move("add retriever", f"add {op.name}{where}", lambda p, s=stage: p.add_retriever(s, RRF))  # type: ignore[misc]


def _views(piece: Workpiece) -> Iterator[Move]:
    """A further view, and a retriever that searches it."""
    searchers = [op for op in usable(piece, "retrieve") if "view" in op.params.model_fields]
    for view in usable(piece, "view"):
        if any(view.name == written.get("op") for written in piece.views.values()):
            continue
        for op in searchers:

            def change(p: Workpiece, name: str = view.name, searcher: str = op.name) -> None:
                p.add_retriever({"op": searcher, "view": p.add_view(name, {"op": name})}, RRF)

            yield Move("add view", f"add the view {view.name} and search it by {op.name}", change)


def _removals(piece: Workpiece) -> Iterator[Move]:
    for i, stage in enumerate(piece.stages):

        def change(p: Workpiece, at: int = i) -> None:
            p.remove_stage(at)
            p.drop_unused_views()

        yield Move("remove stage", f"remove {stage.get('op')}", change)


def _swaps(piece: Workpiece) -> Iterator[Move]:
    """Another operator of the same kind in a stage's place, with the parameters that both know."""
    for i, stage in enumerate(piece.stages):
        kind = piece.kind(stage)
        if kind not in ("retrieve", "fuse"):
            continue
        for op in usable(piece, kind):
            if op.name == stage.get("op"):
                continue
            shared = {k: v for k, v in stage.items() if k in op.params.model_fields and k in ("view", "store", "k")}
            yield Move(
                "swap stage",
                f"{op.name} in place of {stage.get('op')}",
                lambda p, at=i, new={"op": op.name, **shared}: p.set((*p.cascade, at), new),  # type: ignore[misc]
            )


def _refinements(piece: Workpiece) -> Iterator[Move]:
    present = {stage.get("op") for stage in piece.stages}
    for op in usable(piece, "refine"):
        if op.name not in present:
            yield Move("add stage", f"add {op.name}", lambda p, name=op.name: p.add_refine({"op": name}))  # type: ignore[misc]


def _feedback(piece: Workpiece) -> Iterator[Move]:
    """Query stages: those that work by themselves, and those that need a cascade to learn from."""
    present = {stage.get("op") for stage in piece.stages}
    for op in piece.registry:
        if op.stage != "query" or not piece.usable(op) or op.name in present:
            continue
        required = [name for name, info in op.params.model_fields.items() if info.is_required()]
        if required not in ([], ["feedback"]):
            continue
        stage = {"op": op.name} | ({"feedback": [{"op": "bm25", "k": 20}]} if required else {})
        yield Move("add query stage", f"add {op.name}", lambda p, s=stage: p.insert((*p.cascade, 0), s))  # type: ignore[misc]


def _units(piece: Workpiece) -> Iterator[Move]:
    now = piece.units
    for op in usable(piece, "units"):
        kept = {k: v for k, v in now.items() if k in ("roles", "sources") and k in op.params.model_fields}
        for roles in [kept] + ([{}] if kept else []):
            stage = {"op": op.name, **roles}
            if stage != dict(now):
                path = (*piece.store_path, "units")
                yield Move("units", f"units {op.name}", lambda p, at=path, s=stage: p.set(at, s))  # type: ignore[misc]
        if op.views and op.name != now.get("op"):
            yield from _units_with_views(piece, op)


def _units_with_views(piece: Workpiece, units: Operator) -> Iterator[Move]:
    """Other units, and a retriever for each of the texts that they bring along."""
    for searcher in usable(piece, "retrieve"):
        if "view" not in searcher.params.model_fields:
            continue

        def change(p: Workpiece, op: str = searcher.name) -> None:
            p.set((*p.store_path, "units"), {"op": units.name})
            for view in units.views:
                p.add_retriever({"op": op, "view": view}, RRF)

        yield Move("units", f"units {units.name}, and {searcher.name} over {', '.join(units.views)}", change)


def _contexts(piece: Workpiece) -> Iterator[Move]:
    for section in piece.sections:
        layout = piece.layout(section)
        for what, changes in _LAYOUTS.items():
            if any(layout.get(key) != value for key, value in changes.items()):

                def change(p: Workpiece, at: tuple[str | int, ...] = section, new: dict[str, str] = changes) -> None:
                    for key, value in new.items():
                        p.set((*at, key), value)

                yield Move("context", what, change)


def _policies(piece: Workpiece) -> Iterator[Move]:
    """Search step by step by a policy, or once without."""
    if piece.policy is not None:
        yield Move("policy", "search once, without the policy", Workpiece.unwrap_policy)
    elif piece.registry.get("cascade", "policy") is not None:
        yield Move("policy", "let a policy search step by step", Workpiece.wrap_policy)


_LAYOUTS: dict[str, dict[str, str]] = {
    "items with day and author": {"item": "[{{ unit.time | day }}] {{ unit.author }}: {{ unit.text }}"},
    "items by day under one title": {
        "item": "{{ unit.text }}",
        "group_by": "day",
        "group": "[{{ group }}]",
        "order": "chronological",
    },
    "items with the author by day under one title": {
        "item": "{{ unit.author }}: {{ unit.text }}",
        "group_by": "day",
        "group": "[{{ group }}]",
        "order": "chronological",
    },
}
"""Ways to show units: a reader can always tell when something was said."""
