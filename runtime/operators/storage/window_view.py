"""A unit's text with its neighbours'."""

from __future__ import annotations

import numpy as np

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.operators.storage.spans import JOIN
from designsearch.runtime.records import History, Units
from designsearch.runtime.sessions import session_numbers


class WindowParams(Params):
    """Parameters of ``window``."""

    before: int = param(1, ge=0, le=50, about="how many units before", tune=Tune(0, 5))
    after: int = param(1, ge=0, le=50, about="how many units after", tune=Tune(0, 5))


@operator("window", "view", WindowParams)
def window(params: WindowParams, units: Units, history: History) -> list[str]:
    """The unit's text between the texts of the units around it in the same session."""
    sessions = session_numbers(history, units.first)
    order = np.lexsort((np.arange(len(units)), sessions))
    texts = [units.texts[u] for u in order.tolist()]
    begins = np.searchsorted(sessions[order], sessions[order], side="left").tolist()
    ends = np.searchsorted(sessions[order], sessions[order], side="right").tolist()
    made = [""] * len(units)
    for i, u in enumerate(order.tolist()):
        low, high = max(begins[i], i - params.before), min(ends[i], i + params.after + 1)
        made[u] = JOIN.join(texts[low:high])
    return made
