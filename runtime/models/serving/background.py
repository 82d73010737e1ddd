"""The one thread of the process in which calls to servers are in flight."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from threading import Event, Lock, Thread
from typing import Any, TypeVar

T = TypeVar("T")

GRACE = 10.0
"""Seconds in which what was cancelled must have been entered in the books."""

_starting = Lock()
_running: dict[int, asyncio.AbstractEventLoop] = {}
"""The loop of a process by its id: one that was forked needs its own."""


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run work in the background thread and wait for it; any thread may.

    An interrupt of the waiting thread cancels the work, and is raised once the work has ended.
    """
    ended = Event()

    async def whole() -> T:
        try:
            return await work
        finally:
            ended.set()

    future = asyncio.run_coroutine_threadsafe(whole(), _loop())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        ended.wait(GRACE)
        raise


def _loop() -> asyncio.AbstractEventLoop:
    with _starting:
        if os.getpid() not in _running:
            loop = asyncio.new_event_loop()
            Thread(target=loop.run_forever, name="designsearch-calls", daemon=True).start()
            _running[os.getpid()] = loop
        return _running[os.getpid()]
