"""Many jobs, a bounded number of them at a time, in memory that does not grow with their number."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from designsearch.dsl.problems import OutOfBudgetError

J = TypeVar("J")


async def work_off(jobs: Sequence[J], work: Callable[[J], Awaitable[None]], most: int) -> None:
    """Do every job, at most ``most`` at a time, in order of their start.

    A job that ran out of budget lets those that were begun come to their end, since they are paid for, and begins no
    further one. Any other error, and a cancellation, cancels them.

    Raises:
        OutOfBudgetError, Exception: the first error of a job.
    """
    left = iter(jobs)
    stopped: list[OutOfBudgetError] = []

    async def worker() -> None:
        for job in left:
            try:
                await work(job)
            except OutOfBudgetError as error:
                stopped.append(error)
            if stopped:
                return

    workers = [asyncio.create_task(worker()) for _ in range(min(most, len(jobs)))]
    try:
        await asyncio.gather(*workers)
    finally:
        for task in workers:
            task.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    if stopped:
        raise stopped[0]
