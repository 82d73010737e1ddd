"""The session that a unit is part of in fewer words, by a model."""

from __future__ import annotations

from designsearch.dsl.operators import operator
from designsearch.runtime.helper import ask_helper
from designsearch.runtime.models.prompted import prompted
from designsearch.runtime.operators.storage.spans import by_session
from designsearch.runtime.operators.storage.summary_view import PROMPT, SCHEMA, SummaryParams
from designsearch.runtime.record_messages import messages
from designsearch.runtime.records import History, Units
from designsearch.runtime.services import Services


@operator("session_summary", "view", SummaryParams, needs_model=True)
def session_summary(params: SummaryParams, units: Units, history: History, services: Services) -> list[str]:
    """A summary of the unit's whole session, asked for once a session; the unit's own text where the request failed.

    A record without a session is one of its own. Only sessions of which there is a unit are summed up.
    """
    wanted = set(units.first.tolist())
    sessions = [s for s in by_session(history) if not wanted.isdisjoint(s) and any(history.texts[r].strip() for r in s)]
    requests = [prompted(PROMPT, SCHEMA, messages=messages(history, s), words=params.words) for s in sessions]
    by_row: dict[int, str] = {}
    for session, reply in zip(sessions, ask_helper(services, requests), strict=True):
        text = reply.value["summary"].strip() if reply.ok else ""
        by_row.update(dict.fromkeys(session, text))
    return [by_row.get(row) or units.texts[u] for u, row in enumerate(units.first.tolist())]
