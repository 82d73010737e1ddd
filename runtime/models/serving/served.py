"""A model behind a server: cached, counted, and asked as much at once as the server may get."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from designsearch.runtime.models.books.calls import call_key
from designsearch.runtime.models.requests import Reply, Request
from designsearch.runtime.models.serving import background
from designsearch.runtime.models.serving.channel import Channel
from designsearch.runtime.models.serving.once import Once
from designsearch.runtime.models.serving.workers import work_off


class ServedModel:
    """A :class:`~designsearch.runtime.models.base.Model` whose replies are kept; threads may share it.

    Args:
        name: what people call it.
        fingerprint: stands for everything beside the request that a reply depends on.
        channel: how its calls are made.
        once: the replies that are being made, by all roles.
    """

    def __init__(self, name: str, fingerprint: str, channel: Channel, once: Once[Reply]) -> None:
        self._name = name
        self._fingerprint = fingerprint
        self._channel = channel
        self._once = once

    @property
    def name(self) -> str:
        """What people call it."""
        return self._name

    @property
    def fingerprint(self) -> str:
        """Stands for everything beside the request that a reply depends on."""
        return self._fingerprint

    def complete(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply a request, in order; see :class:`~designsearch.runtime.models.base.Model`.

        Requests that are equal are asked once, also across threads; all but the first reply count as cached.
        """
        store, role = self._channel.store, self._channel.role
        keys = [call_key(role, self._fingerprint, request) for request in requests]
        asked = dict(zip(reversed(keys), reversed(requests), strict=True))
        fresh: set[str] = set()

        def make(missing: list[str], made: dict[str, Reply]) -> None:
            if store.replay:
                raise store.missing(role, asked[missing[0]])
            fresh.update(missing)
            self._ask({key: asked[key] for key in missing}, made)

        replies = self._once.get(keys, store.find, make)
        given = [self._given(key, replies[key], fresh) for key in keys]
        work = self._channel.meter.work
        for request, reply in zip(requests, given, strict=True):
            if reply.cached:
                store.count(work, role, request.purpose, reply)
        store.write_tallies()
        return given

    @staticmethod
    def _given(key: str, reply: Reply, fresh: set[str]) -> Reply:
        """The reply as new for the first request that asked for it, as cached for every other."""
        if key in fresh:
            fresh.remove(key)
            return reply
        return reply if reply.cached else replace(reply, cached=True)

    def _ask(self, requests: Mapping[str, Request], made: dict[str, Reply]) -> None:
        channel = self._channel
        dialogue = channel.dialogue()

        async def ask(item: tuple[str, Request]) -> None:
            key, request = item
            made[key] = reply = await channel.call(request.purpose, lambda gate: dialogue.ask(request, gate))
            channel.store.keep(key, channel.role, request.purpose, reply)
            channel.store.count(channel.meter.work, channel.role, request.purpose, reply)
            # with the reservation of the worker's next call, which comes first, or by itself
            asyncio.get_running_loop().call_soon(channel.store.flush_quietly)

        try:
            background.run(work_off(list(requests.items()), ask, channel.limits.concurrency))
        finally:
            channel.store.write_tallies()
