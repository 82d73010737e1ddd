"""Embedders beside the bundled one: a model behind a server, whose vectors are kept text by text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.problems import CannotContinueError
from designsearch.runtime.cache import content_key
from designsearch.runtime.indexes.static_embeddings import unit_rows, well_formed
from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.requests import Reply, Request
from designsearch.runtime.models.serving import background
from designsearch.runtime.models.serving.channel import Channel
from designsearch.runtime.models.serving.once import Once
from designsearch.runtime.models.serving.workers import work_off
from designsearch.runtime.token_counter import BundledCounter

Vectors = NDArray[np.float32]
Vector = NDArray[np.float32]

PURPOSE = "embed"

BATCH = 64
"""Texts of one call."""

BATCH_BYTES = 96_000
"""Bytes of the texts of one call, about 24,000 tokens; a longer text has a call of its own."""

PROBE = "length of a vector"
"""Embedded where a vector's length is asked for before any text was."""

LONGEST = 8191
"""Tokens that a model behind a server reads at once, as OpenAI's do."""

SAFE = 0.75
"""Part of a model's limit up to which the bundled counter is trusted: tokenizers differ."""


class Source(Protocol):
    """What makes vectors.

    Attributes:
        longest: tokens that the model reads at once.
    """

    @property
    def longest(self) -> int: ...  # noqa: D102

    def vectors(self, texts: Sequence[str], done: dict[str, Vector]) -> None:
        """Enter the vector of each text in ``done``; on an error those that came.

        Args:
            texts: distinct, with content, none longer than the model reads.
            done: where vectors are entered, by text.
        """
        ...


class CachedEmbedder:
    """An :class:`~designsearch.runtime.services.Embedder` that asks for each text once and keeps its vector.

    A text longer than the model reads is embedded in parts, and has the mean of their vectors, weighted by length.

    Args:
        name: what people call it.
        fingerprint: changes whenever the vectors do.
        source: makes the vectors.
        store: keeps them.
        once: vectors that are being made.
    """

    def __init__(self, name: str, fingerprint: str, source: Source, store: CallStore, once: Once[Vector]) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self._source = source
        self._store = store
        self._once = once
        self._counter = BundledCounter()
        self._dimensions = 0

    @property
    def dimensions(self) -> int:
        """Length of a vector; where none was made yet, one is asked for."""
        if not self._dimensions:
            self._found([PROBE])
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (texts, dimensions), unit length; a zero row for a text without content.

        Raises:
            OutOfBudgetError, CannotContinueError: as :meth:`~designsearch.runtime.models.base.Model.complete`.
        """
        found = self._found([text for text in texts if text.strip()])
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for i, text in enumerate(texts):
            if text in found:
                rows[i] = found[text]
        return rows

    def _found(self, texts: Sequence[str]) -> dict[str, Vector]:
        """The vectors of distinct texts, kept ones and new ones."""
        keys = {content_key("vector", self.fingerprint, text): text for text in dict.fromkeys(texts)}

        def make(missing: list[str], made: dict[str, Vector]) -> None:
            if self._store.replay:
                raise self._store.missing("embedder", Request(PURPOSE, ()))
            parts = {key: self._parts(keys[key]) for key in missing}
            done: dict[str, Vector] = {}
            try:
                self._source.vectors(list(dict.fromkeys(part for some in parts.values() for part in some)), done)
                self._refuse_lengths({len(vector) for vector in done.values()})
            finally:
                whole = ((key, some) for key, some in parts.items() if len({len(done.get(p, ())) for p in some}) == 1)
                made.update((key, _joined(some, done)) for key, some in whole if some[0] in done)
                self._store.keep_vectors(made)
                self._store.flush()

        found = self._once.get(keys, self._store.find_vectors, make)
        if found:
            self._refuse_lengths({len(vector) for vector in found.values()})
        return {keys[key]: vector for key, vector in found.items()}

    def _refuse_lengths(self, lengths: set[int]) -> None:
        """Refuse vectors that cannot be compared with each other; take note of their length."""
        every = sorted(lengths | {self._dimensions or min(lengths)})
        if len(every) > 1:
            raise CannotContinueError(
                f"models.embedder: {self.name} gives vectors of {' and '.join(map(str, every))} numbers, which cannot "
                "be compared; has the model behind the name changed?"
            )
        self._dimensions = every[0]

    def _parts(self, text: str) -> list[str]:
        """The text in pieces that the model can read."""
        left, parts = well_formed(text), []
        longest = max(1, int(self._source.longest * SAFE))
        # no token is shorter than a byte, so that most texts need not be counted
        while len(left.encode()) > longest:
            part = self._counter.truncate(left, longest) or left[:1]
            parts.append(part)
            left = left[len(part) :]
        return [part for part in [*parts, left] if part.strip()]


def _joined(parts: Sequence[str], vectors: Mapping[str, Vector]) -> Vector:
    """Shape (dimensions,), unit length: the mean over a text's parts, weighted by their length."""
    rows = np.stack([vectors[part] for part in parts])
    weights = np.array([len(part) for part in parts], np.float32)
    mean: Vector = unit_rows((weights @ rows)[None])[0]
    return mean


class ServedVectors:
    """Vectors from a server that speaks OpenAI's protocol.

    Args:
        channel: how its calls are made.
        longest: tokens that the model reads at once.
    """

    def __init__(self, channel: Channel, longest: int = LONGEST) -> None:
        self.longest = longest
        self._channel = channel

    def vectors(self, texts: Sequence[str], done: dict[str, Vector]) -> None:
        """Enter the vector of each text in ``done``; on an error those that came.

        Raises:
            CannotContinueError: the server gives no usable vectors.
        """
        channel, dialogue = self._channel, self._channel.dialogue()

        async def ask(batch: list[str]) -> None:
            began = perf_counter()
            rows = await channel.call(PURPOSE, lambda gate: dialogue.embed(batch, gate))
            taken = Reply(seconds=perf_counter() - began)
            channel.store.count(channel.meter.work, channel.role, PURPOSE, taken)
            done.update(zip(batch, _checked(rows, len(batch), channel.role), strict=True))

        try:
            background.run(work_off(list(_batches(texts)), ask, channel.limits.concurrency))
        finally:
            channel.store.write_tallies()


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Texts that are asked for together: of like length, since servers pad, not too many, not too long."""
    batch: list[str] = []
    size = 0
    for text in sorted(texts, key=len):
        length = len(text.encode())
        if batch and (len(batch) == BATCH or size + length > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += length
    if batch:
        yield batch


def _checked(rows: Sequence[Sequence[float]], wanted: int, role: str) -> Vectors:
    """Shape (wanted, dimensions), unit length.

    Raises:
        CannotContinueError: there are more or fewer rows, rows of different length, nothing but zeros, or what is no
            number.
    """
    try:
        made = np.array(rows, np.float64)
    except (TypeError, ValueError):
        made = np.zeros(0, np.float64)
    if made.ndim != 2 or len(made) != wanted or not made.shape[1] or not np.isfinite(made).all():
        raise CannotContinueError(
            f"models.{role}: the server did not give one vector of numbers for each of {wanted} texts; is it a model "
            "for embeddings?"
        )
    largest = np.abs(made).max(axis=1, keepdims=True)
    # by the largest number, so that single precision can hold the squares
    scaled = np.divide(made, largest, out=np.zeros_like(made), where=largest > 0)
    if not scaled.any():
        raise CannotContinueError(f"models.{role}: the server gives vectors of zeros; is it a model for embeddings?")
    return unit_rows(scaled.astype(np.float32))
