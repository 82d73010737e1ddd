"""When a question is asked: some time after the last of its evidence, or after everything."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np

from designsearch.runtime.histories.times import BadTimeError, Moment, parse_time
from designsearch.search.supervision.contracts import Draft
from designsearch.search.supervision.settings import Asked

SOONEST, LATEST = 3, 90
"""Days after the last evidence between which a question is asked."""

_DAY = 86_400


def with_time(draft: Draft, asked: Asked) -> Draft:
    """The draft with its time of asking.

    A time that the generator gave stays, as what is asked may depend on it (a value that was updated afterwards). Else
    it lies 3 to 90 days, by the item's own chance, after the end of the latest record that the question rests on
    (of the bundle, where it rests on none), on that record's clock.

    Args:
        draft: as the generator made it.
        asked: ``end`` for no time at all: everything is known then.
    """
    if asked == "end":
        return replace(draft, as_of=None)
    if draft.as_of is not None:
        return draft
    cited = set(draft.plan.records)
    sources = [one for one in draft.material.sources if not cited or one.record in cited]
    times = [moment for one in sources if (moment := _moment(one.time)) is not None]
    if not times:
        return draft
    last = max(times, key=lambda moment: moment.instant + moment.length)
    chance = np.random.default_rng([draft.material.seed, 1])
    later = int(chance.integers(SOONEST * _DAY, LATEST * _DAY, endpoint=True))
    return replace(draft, as_of=_written(last, later))


def _moment(text: str) -> Moment | None:
    try:
        return parse_time(text) if text else None
    except BadTimeError:
        return None


def _written(moment: Moment, later: int) -> str | None:
    """The minute that lies some seconds after the end of a period; ``None`` behind the end of the calendar."""
    try:
        clock = datetime.fromtimestamp(0, UTC) + timedelta(seconds=moment.local + moment.length + later)
    except OverflowError:
        return None
    local = clock.replace(tzinfo=None)
    if moment.zoned:
        local = local.replace(tzinfo=timezone(timedelta(seconds=moment.local - int(moment.instant // 1))))
    return parse_time(local.isoformat(timespec="minutes")).text
