"""A message and the replies to it, one memory."""

from __future__ import annotations

from designsearch.dsl.operators import Params, operator, param
from designsearch.runtime.operators.storage.spans import by_session, joined_records
from designsearch.runtime.records import History, Units


class ExchangesParams(Params):
    """Parameters of ``exchanges``."""

    opener: str = param("user", about="the role (else the author) whose record opens an exchange")


@operator("exchanges", "units", ExchangesParams)
def exchanges(params: ExchangesParams, history: History) -> Units:
    """Each record of the opener with all that follows it in the session up to the opener's next one.

    In a session where nobody has that role, or everybody as where people talk to each other, the author of its first
    record opens.
    """
    groups: list[list[int]] = []
    for session in by_session(history):
        opens = [history.roles[r] == params.opener or history.authors[r] == params.opener for r in session]
        if all(opens) or not any(opens):
            opens = [history.authors.codes[r] == history.authors.codes[session[0]] for r in session]
        for i, row in enumerate(session):
            if i == 0 or (opens[i] and not opens[i - 1]):
                groups.append([row])
            else:
                groups[-1].append(row)
    groups.sort(key=lambda group: group[0])
    return joined_records(history, groups)
