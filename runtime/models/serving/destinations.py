"""Which text goes where: what a user is told before anything is sent."""

from __future__ import annotations

from collections.abc import Mapping

from designsearch.runtime.models.serving.seats import Seat
from designsearch.runtime.models.settings import ROLES, Role

TEXTS: dict[Role, tuple[str, ...]] = {
    "answerer": ("records", "questions"),
    "judge": ("questions", "answers"),
    "proposer": ("records", "questions", "answers", "designs"),
    "planner": ("records", "questions", "answers"),
    "reviewer": ("records", "questions", "answers"),
    "reader": ("records", "questions"),
    "helper": ("records", "questions", "answers"),
    "embedder": ("records", "questions"),
}
"""What the requests of each role hold."""

ORDER = ("records", "questions", "answers", "designs")


def destinations_of(seats: Mapping[Role, Seat]) -> list[str]:
    """One line for each model at each server, in the order of :data:`ROLES`.

    As in ``helper, answerer: qwen3 at http://127.0.0.1:8080/v1 gets records and questions``.
    """
    groups: dict[str, list[Role]] = {}
    for role in ROLES:
        if role in seats:
            seat = seats[role]
            name = seat.name if seat.address is not None else f"{seat.name} on this machine"
            groups.setdefault(name, []).append(role)
    return [f"{', '.join(roles)}: {name} gets {_texts(roles)}" for name, roles in groups.items()]


def _texts(roles: list[Role]) -> str:
    held = {text for role in roles for text in TEXTS[role]}
    named = [text for text in ORDER if text in held]
    return " and ".join(part for part in (", ".join(named[:-1]), named[-1]) if part)
