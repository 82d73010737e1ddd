"""A whole conversation or document, one memory."""

from __future__ import annotations

from designsearch.dsl.operators import Params, operator
from designsearch.runtime.operators.storage.spans import by_session, joined_records
from designsearch.runtime.records import History, Units


@operator("sessions", "units", Params)
def sessions(params: Params, history: History) -> Units:
    """Each session is one unit; a record without a session stands alone."""
    return joined_records(history, by_session(history))
