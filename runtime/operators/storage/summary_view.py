"""A unit in fewer words, by a model."""

from __future__ import annotations

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.operators.storage.unit_texts import shown, written_view
from designsearch.runtime.records import History, Units
from designsearch.runtime.services import Services

PROMPT = "memory/summary"
SCHEMA = object_of(summary={"type": "string"})


class SummaryParams(Params):
    """Parameters of ``summary``."""

    words: int = param(60, ge=5, le=1000, about="the most words of a summary", tune=Tune(20, 200, log=True))


@operator("summary", "view", SummaryParams, needs_model=True)
def summary(params: SummaryParams, units: Units, history: History, services: Services) -> list[str]:
    """A summary of each unit; its own text where the request failed."""
    texts = shown(units, history)
    return written_view(
        units,
        services,
        lambda u: prompted(PROMPT, SCHEMA, messages=[texts[u]], words=params.words),
        lambda u, reply: str(reply.value["summary"]),
    )
