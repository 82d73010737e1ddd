"""Many jobs, a bounded number at a time."""

import asyncio

import pytest

from designsearch.dsl.problems import CannotContinueError, OutOfBudgetError
from designsearch.runtime.models.serving import background
from designsearch.runtime.models.serving.workers import work_off


def test_all_are_done_and_never_more_at_once():
    flying, peak, done = 0, 0, []

    async def work(job):
        nonlocal flying, peak
        flying += 1
        peak = max(peak, flying)
        await asyncio.sleep(0.001 * (job % 3))
        flying -= 1
        done.append(job)

    background.run(work_off(range(100), work, 7))
    assert sorted(done) == list(range(100))
    assert peak == 7


def test_nothing_to_do():
    async def work(job):
        raise AssertionError

    background.run(work_off([], work, 5))


def test_out_of_budget_lets_what_was_begun_end():
    begun, done = [], []

    async def work(job):
        begun.append(job)
        if job == 3:
            raise OutOfBudgetError("usd")
        await asyncio.sleep(0.02)
        done.append(job)

    with pytest.raises(OutOfBudgetError, match="usd"):
        background.run(work_off(range(100), work, 4))
    assert begun == [0, 1, 2, 3]
    assert sorted(done) == [0, 1, 2]


def test_another_error_cancels_what_was_begun():
    cancelled = []

    async def work(job):
        if job == 2:
            await asyncio.sleep(0.01)
            raise CannotContinueError("gone")
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            cancelled.append(job)
            raise

    with pytest.raises(CannotContinueError, match="gone"):
        background.run(work_off(range(100), work, 4))
    assert sorted(cancelled) == [0, 1, 3]
