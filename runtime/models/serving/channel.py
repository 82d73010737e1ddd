"""The way of one role's calls: in their turn, within the caps, entered in the books."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.books.meter import CapReachedError, Meter, MeteredGate
from designsearch.runtime.models.serving.limits import Limits
from designsearch.runtime.models.settings import Price

if TYPE_CHECKING:
    from designsearch.runtime.models.exchange.dialogue import Dialogue

T = TypeVar("T")

LOOK_AGAIN = 0.02
"""Seconds between looks at whether a call in flight has come back."""


@dataclass(frozen=True)
class Channel:
    """How the calls of one role are made.

    Attributes:
        role: the role.
        dialogue: the conversation with the server, which is started where it runs on this machine; the same each time.
        limits: of the server, shared by all roles that use it.
        meter: of the team.
        store: of the team.
        price: of the model's tokens.
    """

    role: str
    dialogue: Callable[[], Dialogue]
    limits: Limits
    meter: Meter
    store: CallStore
    price: Price | None = None

    async def call(self, purpose: str, ask: Callable[[MeteredGate], Awaitable[T]]) -> T:
        """One request in its turn.

        Where all that is left under the cap is set aside for calls in flight, it waits for what they really take.

        Raises:
            OutOfBudgetError: what is left under a cap is not enough whatever they take, or the quota is used up.
            CannotContinueError: as :meth:`Model.complete`.
        """
        while True:
            settled = self.meter.settled
            try:
                async with self.limits.slot():
                    with self.meter.gate(self.role, purpose, self.price) as gate:
                        try:
                            return await ask(gate)
                        finally:
                            self.limits.also_began(len(gate.tickets) - 1)
            except CapReachedError as error:
                if not error.passing:
                    raise
            while self.meter.settled == settled and self.meter.in_flight.calls:
                await asyncio.sleep(LOOK_AGAIN)
