"""Where a key or an operator that stands in the wrong place belongs."""

from __future__ import annotations

from collections.abc import Iterable

from designsearch.dsl.grammar import AnswerShape, ContextShape, DesignShape, StorageShape
from designsearch.dsl.operators import Params, Registry, Slot
from designsearch.dsl.problems import nearest

SLOT_PLACES: dict[Slot, str] = {
    "units": "storage.units",
    "views": "storage.views",
    "write": "storage.write",
    "cascade": "retrieval",
    "features": "the features of score",
}

_PARTS: tuple[tuple[str, type[Params]], ...] = (
    ("storage", StorageShape),
    ("context", ContextShape),
    ("answer", AnswerShape),
)

_SAME = {"topk": "k", "limit": "k", "kind": "op", "type": "op", "operator": "op", "stages": "retrieval"}
"""Names that neighbouring tools use for the same thing."""


def keys_of(model: type[Params]) -> list[str]:
    """The keys that a model takes, as written in YAML."""
    return [info.alias or name for name, info in model.model_fields.items()]


def place_hint(key: str, known: Iterable[str], registry: Registry) -> str:
    """What to do about an unknown key: the nearest known one, where it belongs, or the choices."""
    known = list(known)
    same = _SAME.get(key.casefold().replace("_", "").replace("-", ""))
    if same in known:
        return f"did you mean {same}?"
    if close := nearest(key, known):
        return close
    if elsewhere := _elsewhere(key, registry):
        return elsewhere
    return f"the keys here are {', '.join(known)}" if known else "no keys are known here"


def _elsewhere(key: str, registry: Registry) -> str:
    slot = slot_of(key, registry)
    if slot == "cascade":
        return f"{key} is an operator: write it as a stage of retrieval, - {{op: {key}}}"
    if slot is not None:
        return f"{key} is an operator: write {{op: {key}}} under {SLOT_PLACES[slot]}"
    for part, model in _PARTS:
        if key in keys_of(model):
            return f"{key} belongs under {part}"
    if key in keys_of(DesignShape):
        return f"{key} belongs at the top level"
    owners = [op.name for op in registry if key in keys_of(op.params)]
    return f"{key} is a parameter of {', '.join(owners)}" if owners else ""


def slot_of(name: str, registry: Registry) -> Slot | None:
    """The slot that has an operator of that name, if any."""
    return next((op.slot for op in registry if op.name == name and op.slot != "features"), None)
