"""What several threads want at the same time is made once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")

Make = Callable[[list[str], dict[str, T]], None]
"""``make(keys, made)`` enters the value of each key in ``made``; on an error it has entered what was finished."""


class Once(Generic[T]):
    """Values by key, each made by the first thread that wants it while others wait for it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._making: dict[str, Future[T | None]] = {}

    def get(self, keys: Iterable[str], find: Callable[[list[str]], Mapping[str, T]], make: Make[T]) -> dict[str, T]:
        """The values of keys: those that ``find`` knows, those that another thread is making, and the rest made.

        What another thread failed to make is made here; so an error is met by everybody who wants the value.
        """
        got: dict[str, T] = {}
        wanted = list(dict.fromkeys(keys))
        while left := [key for key in wanted if key not in got]:
            mine, theirs = self._claim(left)
            made: dict[str, T] = {}
            try:
                made.update(find(mine))
                missing = [key for key in mine if key not in made]
                if missing:
                    make(missing, made)
            finally:
                self._release(mine, made)
            got.update(made)
            for key, future in theirs.items():
                value = future.result()
                if value is not None:
                    got[key] = value
        return got

    def _claim(self, keys: list[str]) -> tuple[list[str], dict[str, Future[T | None]]]:
        with self._lock:
            theirs = {key: self._making[key] for key in keys if key in self._making}
            mine = [key for key in keys if key not in theirs]
            self._making.update((key, Future()) for key in mine)
            return mine, theirs

    def _release(self, keys: list[str], made: Mapping[str, T]) -> None:
        with self._lock:
            futures = [(key, self._making.pop(key)) for key in keys]
        for key, future in futures:
            future.set_result(made.get(key))
