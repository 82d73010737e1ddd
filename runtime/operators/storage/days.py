"""All that was said on a day, one memory."""

from __future__ import annotations

from designsearch.dsl.operators import NameSet, Params, operator, param
from designsearch.runtime.operators.storage.spans import joined_records
from designsearch.runtime.records import NO_TIME, History, Units

DAY = 86_400


class DaysParams(Params):
    """Parameters of ``days``."""

    sources: NameSet | None = param(None, about="only records of these sources; all where not given")


@operator("days", "units", DaysParams)
def days(params: DaysParams, history: History) -> Units:
    """The records of each local day, whatever their session; a record without a time stands alone."""
    groups: dict[tuple[str, int], list[int]] = {}
    for row, time in enumerate(history.times.tolist()):
        if params.sources is None or history.sources[row] in params.sources:
            groups.setdefault(("row", row) if time == NO_TIME else ("day", time // DAY), []).append(row)
    return joined_records(history, sorted(groups.values(), key=lambda group: group[0]))
