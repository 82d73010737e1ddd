"""What the views that a model writes share: one request a text, and the unit's own text where there is no reply."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from designsearch.runtime.helper import ask_helper
from designsearch.runtime.models.requests import Reply, Request
from designsearch.runtime.record_messages import message
from designsearch.runtime.records import History, Units
from designsearch.runtime.services import Services


def written_view(
    units: Units, services: Services, request: Callable[[int], Request], read: Callable[[int, Reply], str]
) -> list[str]:
    """One text a unit, all asked for at once.

    Args:
        units: the units.
        services: holds the helper.
        request: what is asked about a unit.
        read: the text of a unit from a good reply; where it is blank, the unit's own text stands in its place.

    Returns:
        Shape (units,). A unit without words and one whose request failed keep their own text, so that they are found.
    """
    asked = [u for u, text in enumerate(units.texts) if text.strip()]
    replies = ask_helper(services, [request(u) for u in asked])
    made = list(units.texts)
    for u, reply in zip(asked, replies, strict=True):
        made[u] = (read(u, reply).strip() if reply.ok else "") or made[u]
    return made


def shown(units: Units, history: History) -> Sequence[str]:
    """Each unit with the time and author of its first record, as a prompt shows it."""
    return [message(history, row, units.texts[u]) for u, row in enumerate(units.first.tolist())]
