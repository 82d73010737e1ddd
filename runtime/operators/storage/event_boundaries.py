"""Where events end, in the eyes of a model: it reads a session part by part and says with what something new begins."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.runtime.helper import ask_helper
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.operators.storage.batches import windows
from designsearch.runtime.record_messages import message
from designsearch.runtime.records import History
from designsearch.runtime.services import Services

PROMPT = "memory/boundaries"

PART = 20
"""Records that are read together on average; twice as many at most."""

LONGEST = 1_000
"""Characters of a record that are shown: what it is about mostly stands at its beginning."""


def begins_by_helper(history: History, services: Services, by_rule: Sequence[bool]) -> list[bool]:
    """Whether an event begins with a record, as the helper says.

    Parts are cut by a hash of their records, so that a record changes only the part that it stands in; the rule decides
    where a part ends, and within one for which the helper failed.

    Args:
        history: the history.
        services: with a helper.
        by_rule: shape (records,): what the rule says.

    Returns:
        Shape (records,).
    """
    parts = [part for part in windows(history, PART) if len(part) > 1]
    starts = {"type": "array", "items": {"type": "integer"}, "maxItems": 2 * PART}
    replies = ask_helper(
        services,
        [
            prompted(
                PROMPT,
                object_of(starts=starts),
                messages=[message(history, row, history.texts[row][:LONGEST]) for row in part],
            )
            for part in parts
        ],
    )
    begins = list(by_rule)
    for part, reply in zip(parts, replies, strict=True):
        if reply.ok:
            named = set(reply.value["starts"])
            for number, row in enumerate(part[1:], 2):
                begins[row] = number in named
    return begins
