"""Checks across the stores of a design: the two forms, names, and what is made from what."""

from __future__ import annotations

import re
from typing import Any

from designsearch.dsl.design import MAIN, RAW, StorePlan
from designsearch.dsl.drafts import Draft, Drafter
from designsearch.dsl.grammar import NAME_PATTERN, RESERVED_VIEWS, StorageShape
from designsearch.dsl.operators import Registry, Stage
from designsearch.dsl.paths import Path
from designsearch.dsl.problems import nearest

Stores = dict[str, frozenset[str]]
"""The stores of a design, each with the names of its views."""

DEFAULT_UNITS = "records"
_NAME = re.compile(NAME_PATTERN)


def check_stores(storage: Any, drafter: Drafter) -> Stores | None:
    """Report what is wrong across stores; ``None`` where they are too broken to look names up in."""
    path: Path = ("storage",)
    if storage is None:
        return {MAIN: frozenset({RAW})}
    if not isinstance(storage, dict):
        return None
    flat = [key for key in storage if key in ("units", "views", "write")]
    if "stores" not in storage:
        return {MAIN: _views(storage, path, drafter)}
    if flat:
        hint = f"move {', '.join(flat)} into a store, or remove stores"
        message = f"stores stands beside {', '.join(flat)}: a design has one form"
        drafter.report((*path, "stores"), message, hint, key=True)
    stores = storage["stores"]
    if not isinstance(stores, dict):
        return None
    if not stores:
        drafter.report((*path, "stores"), "a design needs at least one store", "name one, or remove stores")
        return None
    result: Stores = {}
    for name, store in stores.items():
        here = (*path, "stores", name)
        _check_name(name, "store", here, drafter)
        if not isinstance(store, dict):
            return None
        result[name] = _views(store, here, drafter)
    _check_sources(stores, (*path, "stores"), drafter)
    return result


def _views(store: dict[str, Any], path: Path, drafter: Drafter) -> frozenset[str]:
    units, views = store.get("units"), store.get("views")
    brought = units.operator.views if isinstance(units, Draft) and units.operator else ()
    written = views if isinstance(views, dict) else {}
    for name in written:
        here = (*path, "views", name)
        if name in RESERVED_VIEWS:
            drafter.report(here, f"a view cannot be called {name}: every unit has that already", "rename it", key=True)
        elif name in brought and isinstance(units, Draft) and units.operator:
            drafter.report(here, f"{units.operator.name} brings a view {name} of its own", "rename it", key=True)
        else:
            _check_name(name, "view", here, drafter)
    return frozenset({RAW, *brought, *written})


def _check_name(name: str, what: str, path: Path, drafter: Drafter) -> None:
    if not _NAME.fullmatch(name):
        message = f"a {what} cannot be called {name!r}"
        drafter.report(path, message, "use letters, digits and _, a letter first", key=True)


def _check_sources(stores: dict[str, Any], path: Path, drafter: Drafter) -> None:
    parents = {name: store.get("from") for name, store in stores.items() if isinstance(store, dict)}
    for name, parent in parents.items():
        here = (*path, name, "from")
        if not isinstance(parent, str):
            continue
        if parent not in stores:
            hint = nearest(parent, stores) or f"the stores are {', '.join(stores)}"
            drafter.report(here, f"there is no store {parent}", hint)
        elif _leads_back(name, parents):
            drafter.report(here, f"store {name} is made from itself", "make one of the stores from the history")


def _leads_back(name: str, parents: dict[str, Any]) -> bool:
    seen: set[str] = set()
    at = parents.get(name)
    while isinstance(at, str) and at not in seen:
        if at == name:
            return True
        seen.add(at)
        at = parents.get(at)
    return False


def store_plans(shape: StorageShape, registry: Registry) -> dict[str, StorePlan]:
    """The stores of a design without problems; the flat form is one store called ``main``."""
    if shape.stores is None:
        return {MAIN: StorePlan(MAIN, shape.units or _default(registry), shape.views or {}, shape.write)}
    return {
        name: StorePlan(name, store.units or _default(registry), store.views or {}, store.write, store.source)
        for name, store in shape.stores.items()
    }


def _default(registry: Registry) -> Stage:
    op = registry.get("units", DEFAULT_UNITS)
    if op is None:
        raise LookupError(f"the registry has no units operator {DEFAULT_UNITS}")
    return Stage(op, op.params())
