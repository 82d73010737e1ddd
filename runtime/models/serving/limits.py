"""How many calls a server gets at once and in a minute, over all roles that use it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from designsearch.runtime.models.settings import ModelSettings

MINUTE = 60.0


class Limits:
    """The limits of one server.

    Args:
        concurrency: requests in flight at once.
        per_minute: calls begun in a minute, evenly spread; ``None`` for no limit.
    """

    def __init__(self, concurrency: int, per_minute: float | None = None) -> None:
        self.concurrency = concurrency
        self.per_minute = per_minute
        self._slots = asyncio.Semaphore(concurrency)
        self._next = 0.0

    @classmethod
    def of(cls, settings: Iterable[ModelSettings]) -> Limits:
        """The limits of a server that several roles use: the smallest of each that was written.

        A server can do what it can do, however many roles ask it; a role that does not name a limit leaves it to the
        others.
        """
        every = list(settings)
        written = [one.concurrency for one in every if "concurrency" in one.model_fields_set]
        paces = [one.requests_per_minute for one in every if one.requests_per_minute is not None]
        return cls(min(written or [one.concurrency for one in every]), min(paces, default=None))

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """A place in flight, when it is due."""
        async with self._slots:
            if self.per_minute is not None:
                now = asyncio.get_running_loop().time()
                due = max(now, self._next)
                self._next = due + MINUTE / self.per_minute
                await asyncio.sleep(due - now)
            yield

    def also_began(self, calls: int) -> None:
        """Note calls that were repeated within a place: later ones wait for them."""
        if self.per_minute is not None:
            self._next += max(0, calls) * MINUTE / self.per_minute
