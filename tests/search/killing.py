"""Work that is killed at moments of chance, again and again until it gets through."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

needs_fork = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")


def killings(work: Callable[[], object], file: Path, draw: Random, most: int) -> Iterator[bool]:
    """Start the work in a process of its own, kill it, and so on; yields each time whether it was killed.

    Args:
        work: goes on where it was broken off.
        file: grows with the work.
        draw: the chance by which the file may grow until the work is killed.
        most: bytes that it may grow at the most.
    """
    killed = True
    while killed:
        size = file.stat().st_size if file.exists() else 0
        killed = _kill_when_grown(_start(work), file, size + draw.randint(1, most))
        yield killed


def _start(work: Callable[[], object]) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            work()
        finally:
            os._exit(0)
    return pid


def _kill_when_grown(pid: int, file: Path, size: int) -> bool:
    """Kill the process once the file has reached a size; whether it was still running."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return False
        if file.exists() and file.stat().st_size >= size:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return True
        time.sleep(0.0003)
    pytest.fail("the work did not get on")
