"""Keep every unit."""

from __future__ import annotations

from designsearch.dsl.operators import Params, operator
from designsearch.runtime.records import Units


@operator("append", "write", Params)
def append(params: Params, units: Units) -> Units:
    """Store each unit as it comes."""
    return units
