"""A unit's text with its neighbours'."""

from __future__ import annotations

import numpy as np

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.operators.storage.spans import JOIN
from designsearch.runtime.records import History, Units


class WindowParams(Params):
    """Parameters of ``window``."""

    before: int = param(1, ge=0, le=50, about="how many units before", tune=Tune(0, 5))
    after: int = param(1, ge=0, le=50, about="how many units after", tune=Tune(0, 5))


@operator("window", "view", WindowParams)
def window(params: WindowParams, units: Units, history: History) -> list[str]:
    """The unit's text between the texts of the units around it in the same session."""
    sessions = history.sessions.codes[units.first]
    alone = np.array([not name for name in history.sessions.names], bool)[sessions] if len(units) else sessions
    made = []
    for u in range(len(units)):
        low, high = max(0, u - params.before), min(len(units), u + params.after + 1)
        near = [v for v in range(low, high) if v == u or (sessions[v] == sessions[u] and not alone[u])]
        made.append(JOIN.join(units.texts[v] for v in near))
    return made
