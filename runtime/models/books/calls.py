"""Every reply of a model kept by the content of what was asked, with the money that it took.

A reservation is written before its call is sent and replaced by what the call took. Replies and settlements wait for
the next reservation or :meth:`CallStore.flush` and are written with it in one transaction, so that a call costs one
write. After a process was killed, reservations left open count as spent at their most: a cap holds over all runs.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.problems import CannotContinueError
from designsearch.runtime.cache import content_key
from designsearch.runtime.models.books.call_file import file_problems, open_file, open_to_read, reading_rows
from designsearch.runtime.models.books.facts import StoredFacts
from designsearch.runtime.models.books.spending import Spending, Tally, total
from designsearch.runtime.models.books.tallies import tallies_of
from designsearch.runtime.models.requests import Reply, Request

KEPT = tuple(field.name for field in dataclasses.fields(Reply) if field.name != "cached")
"""Fields of a reply that are kept."""

COUNTED_TOGETHER = 50
"""Replies of one kind that are counted before the tally is written; a process that is killed forgets no more."""

MOST_KEYS = 500
"""Keys that are looked up together."""


def call_key(role: str, fingerprint: str, request: Request) -> str:
    """Stands for everything that a reply depends on."""
    return content_key(
        "call",
        role,
        fingerprint,
        request.prompt,
        [[message.role, message.content] for message in request.messages],
        request.schema,
        [[tool.name, tool.about, tool.parameters] for tool in request.tools],
        request.max_output_tokens,
        request.replicate,
        *([request.most_calls] if request.most_calls > 1 else []),  # requests of one call keep their keys
    )


class CallStore:
    """Replies, vectors, spending and what is known of servers.

    One process writes a file at a time; its threads may share the store.

    Args:
        path: the file, made where there is none; ``None`` keeps all in memory.
        also_read: further files whose replies and vectors are found and that are never changed.
        replay: whether a reply that is not found ends the work instead of being asked for; then nothing is written.

    Raises:
        CannotContinueError: a file is damaged, of another version, cannot be written, or has to be there and is not.
    """

    def __init__(self, path: Path | None, also_read: Sequence[Path] = (), replay: bool = False) -> None:
        self.path = path
        self.replay = replay
        self._lock = RLock()
        read = ([path] if replay and path is not None else []) + list(also_read)
        self._readers = [(file, open_to_read(file)) for file in read]
        self._db = open_file(None if replay else path)
        self._pending: list[tuple[str, tuple[Any, ...]]] = []
        self._counted: dict[tuple[str, str, str, str], tuple[int, float]] = {}
        self._last: list[Tally] | None = None
        with self._trouble():
            self._book_lost_calls()
            self._number = 0

    def _trouble(self) -> AbstractContextManager[None]:
        return file_problems(self.path)

    def _book_lost_calls(self) -> None:
        """What a killed process left open was sent, and may have been answered and billed."""
        rows = self._db.execute(
            "SELECT work, role, purpose, usd, input_tokens, output_tokens FROM open_calls"
        ).fetchall()
        if not rows:
            return
        for work, role, purpose, usd, read, written in rows:
            self._spend(work, role, purpose, Spending(1, usd, read, written))
        self._pending.append(("DELETE FROM open_calls", ()))
        self.flush()

    # replies

    def find(self, keys: Sequence[str]) -> dict[str, Reply]:
        """The kept replies of some keys, each marked as cached; failed ones only in a replay."""
        found: dict[str, Reply] = {}
        for table in ("replies", "failures") if self.replay else ("replies",):
            left = [key for key in keys if key not in found]
            for path, key, text in self._look_up(f"SELECT key, reply FROM {table} WHERE key IN", left):  # noqa: S608
                with reading_rows(path):
                    found.setdefault(key, replace(Reply(**json.loads(text)), cached=True))
        return found

    def keep(self, key: str, role: str, purpose: str, reply: Reply) -> None:
        """Keep a reply with the next write; one that failed is asked for again, except in a replay."""
        fields = {name: getattr(reply, name) for name in KEPT}
        table = "replies" if reply.ok else "failures"
        self._later(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?, ?)", key, role, purpose, json.dumps(fields))  # noqa: S608

    def missing(self, role: str, request: Request) -> CannotContinueError:
        """What a replay says of a reply that is not there."""
        return CannotContinueError(
            f"replay needs a call that was never made: {role}, {request.prompt}, in {self._shown}; run the "
            "study without replay to make it"
        )

    @property
    def _shown(self) -> str:
        """The files, as messages name them."""
        files = dict.fromkeys(path for path in (self.path, *(path for path, _ in self._readers)) if path)
        return ", ".join(map(str, files)) or "memory"

    # vectors

    def find_vectors(self, keys: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """The kept vectors of some keys."""
        found = {}
        for path, key, data in self._look_up("SELECT key, vector FROM vectors WHERE key IN", keys):
            with reading_rows(path):
                found[key] = np.frombuffer(data, np.float32)
        return found

    def keep_vectors(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Keep vectors with the next write."""
        for key, vector in vectors.items():
            self._later("INSERT OR REPLACE INTO vectors VALUES (?, ?)", key, vector.astype(np.float32).tobytes())

    def _look_up(self, query: str, keys: Sequence[str]) -> Iterator[tuple[Path | None, str, Any]]:
        """Rows of keys, each behind its file; from the store's own file first."""
        left = list(dict.fromkeys(keys))
        with self._lock:
            self._refuse_when_closed()
            self.flush()
            for path, db in [(self.path, self._db), *self._readers]:
                got: set[str] = set()
                for start in range(0, len(left), MOST_KEYS):
                    some = left[start : start + MOST_KEYS]
                    with file_problems(path):
                        rows = db.execute(f"{query} ({','.join('?' * len(some))})", some).fetchall()
                    got.update(row[0] for row in rows)
                    yield from ((path, *row) for row in rows)
                left = [key for key in left if key not in got]

    # money

    def reserve(self, work: str, role: str, purpose: str, most: Spending) -> int:
        """Write that a call is about to be sent, with the most that it can take; its number.

        Raises:
            CannotContinueError: the store was closed, or cannot be written.
        """
        with self._lock:
            self._refuse_when_closed()
            self._number += 1
            self._later(
                "INSERT INTO open_calls VALUES (?, ?, ?, ?, ?, ?, ?)",
                self._number, work, role, purpose, most.usd, most.input_tokens, most.output_tokens,
            )  # fmt: skip
            self.flush()
            return self._number

    def settle(self, number: int, work: str, role: str, purpose: str, took: Spending) -> None:
        """Replace a reservation by what the call took, with the next write."""
        with self._lock:
            self._later("DELETE FROM open_calls WHERE number = ?", number)
            self._spend(work, role, purpose, took)

    def _spend(self, work: str, role: str, purpose: str, took: Spending) -> None:
        self._later(
            "INSERT INTO spending VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "calls = calls + excluded.calls, usd = usd + excluded.usd, "
            "input_tokens = input_tokens + excluded.input_tokens, "
            "output_tokens = output_tokens + excluded.output_tokens",
            work, role, purpose, took.calls, took.usd, took.input_tokens, took.output_tokens,
        )  # fmt: skip

    def count(self, work: str, role: str, purpose: str, reply: Reply) -> None:
        """Tally a reply that was handed out; written now and then, and by :meth:`write_tallies`."""
        outcome = reply.failure or ("cached" if reply.cached else "ok")
        seconds = 0.0 if reply.cached else reply.seconds
        with self._lock:
            number, so_far = self._counted.get((work, role, purpose, outcome), (0, 0.0))
            self._counted[work, role, purpose, outcome] = number + 1, so_far + seconds
            if number + 1 >= COUNTED_TOGETHER:
                self._add_counted()

    def _add_counted(self) -> None:
        for of, (number, seconds) in self._counted.items():
            self._later(
                "INSERT INTO outcomes VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                "replies = replies + excluded.replies, seconds = seconds + excluded.seconds",
                *of, number, seconds,
            )  # fmt: skip
        self._counted.clear()

    def write_tallies(self) -> None:
        """Write what waits, tallies too."""
        with self._lock:
            self._add_counted()
            self.flush()

    def spent(self) -> Spending:
        """All that was spent so far."""
        return total(self.tallies())

    def tallies(self) -> list[Tally]:
        """By work, role and purpose; of a closed store, those that it had."""
        with self._lock, self._trouble(), reading_rows(self.path):
            if self._last is not None:
                return self._last
            self.write_tallies()
            return tallies_of(self._db)

    # servers

    def facts(self, base_url: str, model: str) -> MutableMapping[str, str]:
        """What was found out about a model at a server; kept as soon as it is set."""
        return StoredFacts(self._db, self._lock, base_url, model)

    # writing

    def _later(self, statement: str, *values: Any) -> None:
        with self._lock:
            if self._last is None:  # what comes back after the end was set aside, and counts at its most
                self._pending.append((statement, values))

    def _refuse_when_closed(self) -> None:
        if self._last is not None:
            raise CannotContinueError("the models were closed while they were at work; run again to go on")

    def flush(self) -> None:
        """Write what waits, in one transaction.

        Raises:
            CannotContinueError: the disk is full, or the file was damaged or locked.
        """
        with self._lock:
            if not self._pending:
                return
            with self._trouble():
                self._db.execute("BEGIN IMMEDIATE")
                try:
                    for statement, values in self._pending:
                        self._db.execute(statement, values)
                    self._db.execute("COMMIT")
                except BaseException:  # a transaction left open would refuse every later one
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
                    raise
            self._pending.clear()

    def flush_quietly(self) -> None:
        """Write what waits; trouble is left for the next write to tell."""
        with suppress(CannotContinueError):
            self.flush()

    def close(self) -> None:
        """Write what waits and close the files; a second time does nothing."""
        with self._lock:
            if self._last is not None:
                return
            try:
                self._last = self.tallies()
            finally:
                self._last = self._last or []
                for db in (self._db, *(db for _, db in self._readers)):
                    db.close()
