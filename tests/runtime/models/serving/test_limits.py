"""What a server gets at once and in a minute."""

import asyncio
import time

from designsearch.runtime.models.serving import background
from designsearch.runtime.models.serving.limits import Limits
from designsearch.runtime.models.settings import ModelSettings


def of(*given):
    limits = Limits.of([ModelSettings(model="m", **one) for one in given])
    return limits.concurrency, limits.per_minute


def test_roles_that_share_a_server_share_the_smallest_limit_written():
    assert of({"concurrency": 32}, {"concurrency": 4}) == (4, None)
    assert of({"requests_per_minute": 60}, {"requests_per_minute": 90}) == (8, 60)


def test_a_role_that_names_no_limit_leaves_it_to_the_others():
    assert of({}, {"concurrency": 32}) == (32, None)
    assert of({}, {"requests_per_minute": 5}) == (8, 5)
    assert of({}, {}) == (8, None)


def begin(limits, count, repeats=0):
    """Seconds after the first at which each of some calls began."""
    began = []

    async def one():
        async with limits.slot():
            began.append(time.perf_counter())
            limits.also_began(repeats)

    async def every():
        await asyncio.gather(*(one() for _ in range(count)))

    background.run(every())
    return [moment - began[0] for moment in began]


def test_calls_are_spread_evenly_over_a_minute():
    began = begin(Limits(8, per_minute=1200), 6)  # one each 50 ms
    assert all(moment >= 0.05 * i - 0.005 for i, moment in enumerate(began))


def test_repeated_calls_push_later_ones_back():
    began = begin(Limits(1, per_minute=1200), 3, repeats=2)
    assert began[1] >= 0.15 - 0.005
    assert began[2] >= 0.30 - 0.005


def test_without_a_pace_nobody_waits(monkeypatch):
    monkeypatch.setattr(asyncio, "sleep", None)
    assert len(begin(Limits(100), 100)) == 100
