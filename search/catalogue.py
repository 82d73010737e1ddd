"""What a search may turn in a design: the tunable settings of its stages and of its context, with their places.

They are read from the YAML as written and from the operators' own declarations, so that a new operator is searched
without anything being edited here.
"""

from __future__ import annotations

import types
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, Union, get_args, get_origin

from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution

from designsearch.dsl.grammar import ContextShape, SectionShape
from designsearch.dsl.operators import Operator, Params, Registry, Slot
from designsearch.dsl.paths import Path
from designsearch.search.ledger import Parameter


@dataclass(frozen=True, slots=True)
class Range:
    """What a setting may be: between two numbers, or one of some choices."""

    low: float = 0.0
    high: float = 0.0
    log: bool = False
    integer: bool = False
    choices: tuple[Any, ...] = ()

    def distribution(self, value: Any = None) -> BaseDistribution:
        """As Optuna has it, widened where ``value`` lies outside."""
        if self.choices:
            return CategoricalDistribution(self.choices)
        low, high = (self.low, self.high) if value is None else (min(self.low, value), max(self.high, value))
        if self.integer:
            return IntDistribution(int(low), int(high), log=self.log)
        return FloatDistribution(float(low), float(high), log=self.log)

    def holds(self, value: Any) -> bool:
        """Whether Optuna can keep a value of this kind, within the range or beyond it."""
        if self.choices:
            return any(value is choice or (value == choice and type(value) is type(choice)) for choice in self.choices)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        least = (1 if self.integer else 1e-12) if self.log else float("-inf")
        return value >= least and not (self.integer and value != int(value))


@dataclass(frozen=True, slots=True)
class Tunable:
    """One setting of a design.

    Attributes:
        name: the same for the same setting in similar designs, as in ``bm25.k`` or ``bm25#2.k``.
        path: where it stands, or would stand where the design leaves it at its default.
        value: what it is now.
        range: what it may be.
    """

    name: str
    path: Path
    value: Any
    range: Range


@dataclass(frozen=True, slots=True)
class Placed:
    """A stage as written.

    Attributes:
        slot: where its operator is looked up.
        path: where it stands.
        written: its mapping.
        operator: its operator.
    """

    slot: Slot
    path: Path
    written: Mapping[str, Any]
    operator: Operator


def stages(tree: Mapping[str, Any], registry: Registry) -> Iterator[Placed]:
    """Every stage of a valid design, those inside others too, in the order of the storage and of the cascade."""
    storage = tree.get("storage") or {}
    stores = storage.get("stores")
    places: list[tuple[Path, Mapping[str, Any]]] = (
        [(("storage",), storage)]
        if stores is None
        else [(("storage", "stores", name), store or {}) for name, store in stores.items()]
    )
    for path, store in places:
        for key in ("units", "write"):
            if store.get(key):
                yield from _stage("units" if key == "units" else "write", (*path, key), store[key], registry)
        for name, view in (store.get("views") or {}).items():
            yield from _stage("views", (*path, "views", name), view, registry)
    yield from _cascade(("retrieval",), tree.get("retrieval") or [], registry)


def _cascade(path: Path, written: list[Any], registry: Registry) -> Iterator[Placed]:
    for i, stage in enumerate(written):
        yield from _stage("cascade", (*path, i), stage, registry)


def _stage(slot: Slot, path: Path, written: Any, registry: Registry) -> Iterator[Placed]:
    operator = registry.get(slot, written["op"])
    if operator is None:
        return
    yield Placed(slot, path, written, operator)
    for key, value in written.items():
        for inner_path, inner in _inner(value, (*path, key)):
            if isinstance(inner, list):
                yield from _cascade(inner_path, inner, registry)
            else:
                yield from _stage("cascade", inner_path, inner, registry)


def _inner(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Cascades and single stages inside a stage."""
    if _is_cascade(value) or (isinstance(value, dict) and "op" in value):
        yield path, value
    elif isinstance(value, dict):
        yield from (((*path, name), inner) for name, inner in value.items() if _is_cascade(inner))


def _is_cascade(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, dict) and "op" in v for v in value)


def tunables(tree: Mapping[str, Any], registry: Registry) -> list[Tunable]:
    """All settings of a valid design that a search may turn."""
    found: list[Tunable] = []
    seen: Counter[str] = Counter()
    for placed in stages(tree, registry):
        name = placed.operator.name if placed.slot == "cascade" else f"{placed.slot}.{placed.operator.name}"
        seen[name] += 1
        owner = name if seen[name] == 1 else f"{name}#{seen[name]}"
        found += _settings(owner, placed.path, placed.written, placed.operator.params)
    context = tree.get("context") or {}
    sections = context.get("sections")
    if sections is None:
        return found + _settings("context", ("context",), context, ContextShape)
    for i, section in enumerate(sections):
        found += _settings(f"section{i + 1}", ("context", "sections", i), section, SectionShape)
    return found


def _settings(owner: str, path: Path, written: Mapping[str, Any], model: type[Params]) -> list[Tunable]:
    return [
        Tunable(f"{owner}.{name}", (*path, name), written.get(name, model.model_fields[name].get_default()), span)
        for name, span in ranges(model).items()
    ]


@lru_cache(maxsize=512)
def ranges(model: type[Params]) -> Mapping[str, Range]:
    """The parameters of a model that a search may turn, with what they may be."""
    found = {}
    for name, info in model.model_fields.items():
        extra = info.json_schema_extra
        tune = extra.get("tune") if isinstance(extra, dict) else None
        span = _range(info.annotation, tune) if tune else None
        if span is not None and not info.is_required():
            found[name] = span
    return found


def _range(annotation: Any, tune: Any) -> Range | None:
    if isinstance(tune, dict):
        if annotation not in (int, float):
            return None
        return Range(float(tune["low"]), float(tune["high"]), bool(tune["log"]), annotation is int)
    if annotation is bool:
        return Range(choices=(False, True))
    if get_origin(annotation) is Literal:
        return Range(choices=get_args(annotation))
    if get_origin(annotation) in (Union, types.UnionType):
        inner = [one for one in get_args(annotation) if one is not type(None)]
        span = _range(inner[0], tune) if len(inner) == 1 else None
        return Range(choices=(None, *span.choices)) if span is not None and span.choices else None
    return None


def parameters(tree: Mapping[str, Any], registry: Registry) -> dict[str, Parameter]:
    """The tunable settings of a design as Optuna keeps them; values that it cannot keep are left out."""
    found = {}
    for one in tunables(tree, registry):
        if one.range.holds(one.value):
            value = one.value
            if not one.range.choices:
                value = int(value) if one.range.integer else float(value)
            found[one.name] = Parameter(value, one.range.distribution(value))
    return found
