"""All models of a study or a command, one a role, sharing cache, caps and servers."""

from __future__ import annotations

import asyncio
import atexit
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from threading import RLock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.problems import CannotContinueError
from designsearch.runtime.embedder import Embedder
from designsearch.runtime.indexes.static_embeddings import StaticEmbedder
from designsearch.runtime.models.base import Model
from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.books.meter import Meter
from designsearch.runtime.models.books.spending import NO_CAPS, Caps, Spending, Tally
from designsearch.runtime.models.books.tallies import over_all_work
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.models.serving import background, local
from designsearch.runtime.models.serving.channel import Channel
from designsearch.runtime.models.serving.destinations import destinations_of
from designsearch.runtime.models.serving.embedders import LONGEST, CachedEmbedder, ServedVectors, Source
from designsearch.runtime.models.serving.once import Once
from designsearch.runtime.models.serving.seats import EMBEDDER, Seat, seats_of
from designsearch.runtime.models.serving.served import ServedModel
from designsearch.runtime.models.settings import OFFLINE, ROLES, ModelSettings, Role

if TYPE_CHECKING:
    from designsearch.runtime.models.exchange.dialogue import Dialogue

CHECK_SECONDS = 15.0
"""Seconds in which every server must have said that it is there."""


def _silent(line: str) -> None:
    """Say nothing."""


class Team:
    """All models of a study or command, one a role, sharing cache, caps and servers.

    Threads may share it and its models; processes may not.

    Attributes:
        fingerprints: by role ``offline``, or what stands for everything that its replies depend on.
    """

    def __init__(self, seats: Mapping[Role, Seat], store: CallStore, caps: Caps, say: Callable[[str], None]) -> None:
        self._seats = dict(seats)
        self._store = store
        self._meter = Meter(store, caps)
        self._say = say
        self._lock = RLock()
        self._dialogues: dict[Role, Dialogue] = {}
        self._started: list[local.LocalPlan] = []
        self._replies: Once[Reply] = Once()
        self._vectors: Once[NDArray[np.float32]] = Once()
        self._closed = False
        self.fingerprints: dict[str, str] = {
            role: seats[role].fingerprint if role in seats else OFFLINE for role in ROLES
        }
        atexit.register(self.close)

    @classmethod
    def open(
        cls,
        settings: Mapping[Role, ModelSettings],
        calls: CallStore | None = None,
        caps: Caps = NO_CAPS,
        say: Callable[[str], None] = _silent,
    ) -> Team:
        """The team that a study's ``models`` block names; nothing is contacted and nothing is started yet.

        Args:
            settings: by role; a role that is left out is offline.
            calls: keeps replies and spending, and is closed with the team; ``None`` for one in memory.
            caps: over all runs of ``calls``.
            say: gets a line for people when something was found out about a server; from any thread.

        Raises:
            UserError: a setting cannot work, a key's variable is not set, or a price or a package is missing.
        """
        store = calls if calls is not None else CallStore(None)
        return cls(seats_of(settings, caps, will_call=not store.replay), store, caps, say)

    def model(self, role: Role) -> Model | None:
        """The model of a role; ``None`` where it is offline. What makes vectors is :meth:`embedder`."""
        seat = self._seats.get(role)
        if seat is None or role == EMBEDDER:
            return None
        return ServedModel(seat.name, seat.fingerprint, self._channel(seat), self._replies)

    def embedder(self) -> Embedder:
        """What makes vectors; the bundled one where the role is offline."""
        seat = self._seats.get(EMBEDDER)
        if seat is None:
            return StaticEmbedder()
        source: Source = seat.sentences or ServedVectors(self._channel(seat), _longest(seat))
        return CachedEmbedder(seat.name, seat.fingerprint, source, self._store, self._vectors)

    def _channel(self, seat: Seat) -> Channel:
        dialogue = partial(self._dialogue, seat)
        return Channel(seat.role, dialogue, seat.limits, self._meter, self._store, seat.price)

    def _dialogue(self, seat: Seat) -> Dialogue:
        """The conversation of a role, begun when first needed; so is the server of a local model."""
        with self._lock:
            if seat.role not in self._dialogues:
                if seat.plan is not None:
                    url = local.start(seat.plan, seat.role).url
                    self._started.append(seat.plan)
                else:
                    url = seat.where
                where = seat.address.shown if seat.address is not None else seat.where
                facts = self._store.facts(where, seat.settings.model)
                self._dialogues[seat.role] = seat.dialogue(url, facts, self._say)
            return self._dialogues[seat.role]

    def check(self) -> list[str]:
        """Contact every server once, free of tokens; local ones are started. A replay contacts none.

        Returns:
            What is odd about the servers, for people.

        Raises:
            CannotContinueError: one is not there, refuses the key, or does not know the model; all of them are named.
        """
        if self._store.replay:
            return []
        places: dict[tuple[object, ...], Seat] = {}
        for seat in self._seats.values():
            if seat.sentences is None:
                key = seat.where, seat.settings.model, seat.settings.api_key_env, seat.role == EMBEDDER
                places.setdefault(key, seat)
        if not places:
            return []
        found = background.run(_ask_all([self._dialogue(seat) for seat in places.values()]))
        notes: list[str] = []
        problems: list[str] = []
        for seat, result in zip(places.values(), found, strict=True):
            if isinstance(result, CannotContinueError):
                problems.append(str(result))
            elif isinstance(result, TimeoutError):
                problems.append(f"models.{seat.role}: {seat.name} did not answer within {CHECK_SECONDS:g} s")
            elif isinstance(result, BaseException):
                raise result
            else:
                notes += result
        if problems:
            raise CannotContinueError("\n".join(dict.fromkeys(problems)))
        return list(dict.fromkeys(notes))

    def destinations(self) -> list[str]:
        """One line a server: which roles, which model, where, and what text it gets; empty when all is offline."""
        return destinations_of(self._seats)

    def begin(self, work: str) -> None:
        """Name the work that new calls are booked on: ``base``, ``trial 7``, ``claim``, ..."""
        self._meter.work = work

    @property
    def spent(self) -> Spending:
        """What was really spent in this study, earlier runs included."""
        return self._meter.spent

    def tallies(self) -> list[Tally]:
        """By role and purpose, over all work and all runs."""
        return over_all_work(self._store.tallies())

    def close(self) -> None:
        """Stop local servers and close connections and the store; also done at exit. A second time does nothing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            atexit.unregister(self.close)
            dialogues, self._dialogues = list(self._dialogues.values()), {}
            with suppress(Exception):  # connections that do not close are closed by the end of the process
                background.run(_close_all(dialogues))
            while self._started:
                local.stop(self._started.pop())
            self._store.close()


def _longest(seat: Seat) -> int:
    """Tokens that an embedder reads at once: as the study says, else as OpenAI's do."""
    if seat.plan is not None:
        return seat.plan.context_tokens
    return seat.settings.context_tokens if "context_tokens" in seat.settings.model_fields_set else LONGEST


async def _ask_all(dialogues: Sequence[Dialogue]) -> list[list[str] | BaseException]:
    checks = (asyncio.wait_for(dialogue.check(), CHECK_SECONDS) for dialogue in dialogues)
    return await asyncio.gather(*checks, return_exceptions=True)


async def _close_all(dialogues: Sequence[Dialogue]) -> None:
    await asyncio.gather(*(dialogue.close() for dialogue in dialogues), return_exceptions=True)
