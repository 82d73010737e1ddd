"""A unit's text with what the other speaker said beside it."""

from __future__ import annotations

import numpy as np

from designsearch.dsl.operators import NameSet, Params, Tune, operator, param
from designsearch.runtime.operators.storage.spans import JOIN
from designsearch.runtime.records import History, Units
from designsearch.runtime.sessions import session_numbers


class RolesParams(Params):
    """Parameters of ``roles``."""

    roles: NameSet | None = param(None, about="whose records are added; every other role where not given")
    before: int = param(0, ge=0, le=20, about="how many records before are looked at", tune=Tune(0, 3))
    after: int = param(1, ge=0, le=20, about="how many records after are looked at", tune=Tune(0, 3))
    own: bool = param(True, about="whether the unit's own text is part of it", tune=True)


@operator("roles", "view", RolesParams)
def roles(params: RolesParams, units: Units, history: History) -> list[str]:
    """The unit's text between the records of other roles (else authors) just before and after it in the session.

    It lets a short user message be found by the words of the reply to it, while only the message itself is shown.
    """
    rows = np.arange(len(history))
    order = np.lexsort((rows, session_numbers(history, rows)))
    place = np.empty(len(history), np.int64)
    place[order] = rows
    made = []
    for u in range(len(units)):
        own = units.records[units.offsets[u] : units.offsets[u + 1]]
        first, last = int(own[0]), int(own[-1])
        begin, end = int(place[first]), int(place[last]) + 1
        around = order[max(0, begin - params.before) : begin].tolist(), order[end : end + params.after].tolist()
        before = [r for r in around[0] if _is_other(history, r, first, params)]
        after = [r for r in around[1] if _is_other(history, r, last, params)]
        middle = [units.texts[u]] if params.own else []
        made.append(JOIN.join([*(history.texts[r] for r in before), *middle, *(history.texts[r] for r in after)]))
    return made


def _is_other(history: History, row: int, own: int, params: RolesParams) -> bool:
    session = history.sessions[own]
    if not session or history.sessions[row] != session:
        return False
    if params.roles is not None:
        return history.roles[row] in params.roles
    return (history.roles[row], history.authors[row]) != (history.roles[own], history.authors[own])
