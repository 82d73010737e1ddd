"""A design as it would be if it stored what everybody said: the check on designs that keep one speaker only."""

from __future__ import annotations

from dataclasses import replace

from designsearch.dsl.design import Design, StorePlan


def with_all_speakers(design: Design) -> Design | None:
    """The design without its limits on roles; ``None`` where it stores everybody's text as it is.

    Evidence often lies with one speaker, so that a design which stores that one alone covers more of it within the same
    budget. Whether that pays is seen by storing both.
    """
    stores = {name: _all_roles(store) for name, store in design.stores.items()}
    return None if stores == design.stores else replace(design, stores=stores)


def _all_roles(store: StorePlan) -> StorePlan:
    params = store.units.params
    if getattr(params, "roles", None) is None:
        return store
    return replace(store, units=replace(store.units, params=params.model_copy(update={"roles": None})))
