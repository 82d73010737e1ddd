"""One speaker's turn, one memory."""

from __future__ import annotations

import numpy as np

from designsearch.dsl.operators import NameSet, Params, operator, param
from designsearch.runtime.operators.storage.spans import by_session, joined_records, speaks
from designsearch.runtime.records import History, Units


class TurnsParams(Params):
    """Parameters of ``turns``."""

    roles: NameSet | None = param(None, about="only turns of these roles, as in [user]; all where not given", tune=True)
    sources: NameSet | None = param(None, about="only records of these sources; all where not given")


@operator("turns", "units", TurnsParams)
def turns(params: TurnsParams, history: History) -> Units:
    """Consecutive records of one author within a session are one unit; records without a session stand alone.

    With ``roles`` only turns of those roles are stored (records without a role, such as e-mails, always are).
    """
    allowed = np.zeros(len(history), bool)
    allowed[speaks(history, np.arange(len(history)), params.roles, params.sources)] = True
    authors, roles = history.authors.codes, history.roles.codes
    groups: list[list[int]] = []
    for session in by_session(history):
        last = -1
        for row in session:
            if not allowed[row]:
                last = -1
            elif last >= 0 and authors[row] == authors[last] and roles[row] == roles[last]:
                groups[-1].append(row)
                last = row
            else:
                groups.append([row])
                last = row
    groups.sort(key=lambda group: group[0])
    return joined_records(history, groups)
