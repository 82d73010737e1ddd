"""The whole session that a unit is part of."""

from __future__ import annotations

from designsearch.dsl.operators import Params, operator
from designsearch.runtime.operators.storage.spans import JOIN, by_session
from designsearch.runtime.records import History, Units


@operator("session_text", "view", Params)
def session_text(params: Params, units: Units, history: History) -> list[str]:
    """The texts of all records of the unit's session in order; a record without a session stands alone."""
    by_row: dict[int, str] = {}
    for session in by_session(history):
        text = JOIN.join(history.texts[r] for r in session)
        by_row.update(dict.fromkeys(session, text))
    return [by_row[row] for row in units.first.tolist()]
