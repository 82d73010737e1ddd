"""A unit's text beside what is known about it."""

from __future__ import annotations

from typing import Literal

from designsearch.dsl.operators import Params, operator, param
from designsearch.runtime.records import History, Units

Field = Literal["time", "author", "role", "source", "session", "section"]


class MetadataParams(Params):
    """Parameters of ``metadata``."""

    fields: tuple[Field, ...] = param(
        ("time", "author", "source", "section"), about="what stands before the text, in this order"
    )


@operator("metadata", "view", MetadataParams)
def metadata(params: MetadataParams, units: Units, history: History) -> list[str]:
    """The named fields that are known, then the unit's text."""
    columns = {
        "author": history.authors,
        "role": history.roles,
        "source": history.sources,
        "session": history.sessions,
        "section": history.sections,
    }
    made = []
    for u, row in enumerate(units.first.tolist()):
        values = (history.time_texts[row] if f == "time" else columns[f][row] for f in params.fields)
        made.append(" ".join([*(v for v in values if v), units.texts[u]]))
    return made
