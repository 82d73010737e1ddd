"""Work in the background thread."""

import asyncio
import os
import signal
import threading

import pytest

from designsearch.runtime.models.serving import background


async def answer():
    await asyncio.sleep(0)
    return threading.current_thread().name


def test_all_work_shares_one_thread():
    assert background.run(answer()) == background.run(answer()) == "designsearch-calls"


def test_an_error_comes_back():
    async def fail():
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        background.run(fail())


def test_an_interrupt_cancels_the_work_and_waits_for_its_end():
    ended = []

    async def long():
        try:
            await asyncio.sleep(30)
            ended.append("slept")
        finally:
            await asyncio.sleep(0.05)
            ended.append("cleared up")

    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        background.run(long())
    assert ended == ["cleared up"]


def test_it_works_inside_a_running_loop():
    async def inside():
        return background.run(answer())

    assert asyncio.run(inside()) == "designsearch-calls"
