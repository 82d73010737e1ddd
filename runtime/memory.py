"""A design over one snapshot of a history: its stores, their views and indexes, made when first asked for.

Operators read from here and nowhere else. Everything is cached by content: the units by the history and the parameters
of the storage stage, an index by the texts it is built over and its own parameters, vectors by the texts. What a model
wrote may come out otherwise when it is made again, since a request that failed may succeed: what is built over such
units or texts is cached by what they really say.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from designsearch.dsl.design import RAW, Design, StorePlan
from designsearch.dsl.needs import model_needs
from designsearch.dsl.operators import Stage
from designsearch.dsl.problems import UserError, nearest
from designsearch.dsl.relocate import named_contents
from designsearch.runtime.cache import content_key
from designsearch.runtime.indexes.lexical import Corpus, Engine, LexicalIndex, Variant, tokenize
from designsearch.runtime.indexes.okapi import OkapiIndex
from designsearch.runtime.indexes.postings import Postings
from designsearch.runtime.indexes.vectors import VectorIndex
from designsearch.runtime.lexical_tokens import Stem, Stopwords
from designsearch.runtime.records import NO_TIME, History, IntArray, Units, hash_texts
from designsearch.runtime.services import Services
from designsearch.runtime.sessions import session_numbers

T = TypeVar("T")


class Store:
    """The units of one store and the texts that they are searched by.

    Attributes:
        name: the store's name.
        base: global id of its first unit.
        units: its units.
        key: content key of the units.
    """

    def __init__(self, plan: StorePlan, base: int, history: History, services: Services) -> None:
        self.name = plan.name
        self.base = base
        self._plan = plan
        self._history = history
        self._services = services
        write = plan.write.canonical() if plan.write else None
        stages = [stage for stage in (plan.units, plan.write) if stage is not None]
        parts = ["units", history.fingerprint, plan.units.canonical(), write]
        key = content_key(*parts, *(part for stage in stages for part in _depends_on(stage, services)))
        self.units: Units = services.cache.get(key, self._make_units)
        written = any(stage.needs_model for stage in stages)
        # views that come along are kept by what they say too: rules that make them change from version to version
        self.key = content_key(key, self.units.fingerprint) if written or self.units.views else key
        self._written_keys: dict[str, str] = {}

    def __len__(self) -> int:
        """Number of units."""
        return len(self.units)

    @property
    def views(self) -> list[str]:
        """Names of the views, ``raw`` first."""
        return [RAW, *self.units.views, *self._plan.views]

    def _make_units(self) -> Units:
        units: Units = self._run(self._plan.units, self._history)
        if self._plan.write and self._plan.write.operator.needs_model:
            units = self._run(self._plan.write, units, self._history)
        elif self._plan.write:
            units = self._run(self._plan.write, units)
        return units

    def _run(self, stage: Stage, *given: Any) -> Any:
        """A stage of the storage; one that needs a model, or says ``needs_services``, is handed the services last."""
        op = stage.operator
        services = [self._services] if op.needs_model or op.needs_services else []
        return op.function(stage.params, *given, *services)

    def view_key(self, view: str) -> str:
        """Content key of the texts of a view; makes them where a model writes them."""
        if view != RAW and view not in self.units.views and self._view(view).needs_model:
            if view not in self._written_keys:
                h = hashlib.blake2b(digest_size=16)
                hash_texts(h, self.texts(view))
                self._written_keys[view] = content_key(self.source_key(view), h.hexdigest())
            return self._written_keys[view]
        return self.source_key(view)

    def source_key(self, view: str) -> str:
        """Content key of what a view is made from, and how."""
        if view == RAW:
            return content_key("view", self.key, None)
        if view in self.units.views:
            return content_key("view", self.key, view)
        stage = self._view(view)
        return content_key("view", self.key, stage.canonical(), *_depends_on(stage, self._services))

    def _view(self, name: str) -> Stage:
        if name not in self._plan.views:
            hint = nearest(name, self.views) or f"the views are {', '.join(self.views)}"
            raise UserError(f"store {self.name} has no view {name} ({hint})")
        return self._plan.views[name]

    def texts(self, view: str) -> Sequence[str]:
        """The text of each unit in that view, shape (units,)."""
        if view == RAW:
            return self.units.texts
        if view in self.units.views:
            return self.units.views[view]
        stage = self._view(view)
        made: Sequence[str] = self._services.cache.get(
            self.source_key(view), lambda: tuple(self._run(stage, self.units, self._history))
        )
        return made

    def corpus(self, view: str, stem: Stem, stopwords: Stopwords) -> Corpus:
        """The tokenised texts of a view."""
        key = content_key("corpus", self.view_key(view), stem, stopwords)
        return self._services.cache.get(key, lambda: tokenize(self.texts(view), stem, stopwords))

    def postings(self, view: str, stem: Stem, stopwords: Stopwords) -> Postings:
        """Which texts of a view hold each term."""
        key = content_key("postings", self.view_key(view), stem, stopwords)
        return self._services.cache.get(key, lambda: Postings.of(self.corpus(view, stem, stopwords)))

    def lexical(
        self, view: str, stem: Stem, stopwords: Stopwords, variant: Variant, k1: float, b: float, engine: Engine
    ) -> LexicalIndex | OkapiIndex:
        """The BM25 index of a view."""
        key = content_key("lexical", self.view_key(view), stem, stopwords, variant, k1, b, engine)
        corpus = self.corpus(view, stem, stopwords)
        if engine == "rank_bm25":
            return self._services.cache.get(key, lambda: OkapiIndex(corpus, k1, b))
        return self._services.cache.get(key, lambda: LexicalIndex(corpus, variant, k1, b))

    def vectors(self, view: str) -> VectorIndex:
        """The vectors of a view."""
        embedder = self._services.embedder
        key = content_key("vectors", self.view_key(view), embedder.fingerprint)

        def make() -> Mapping[str, Any]:
            return {"vectors": embedder.embed(self.texts(view))}

        return VectorIndex(self._services.cache.arrays(key, make)["vectors"])


def _depends_on(stage: Stage, services: Services) -> list[str]:
    """What a stage of the storage depends on beside its parameters and what it is given."""
    parts = [services.helper_key] if stage.needs_model else []
    if stage.operator.needs_services:
        parts += [services.embedder.fingerprint, services.counter.name]
    return parts


class Memory:
    """The stores of a design over one history.

    Attributes:
        design: the design.
        history: the snapshot.
        services: cache, counter, embedder and helper.
        stores: by name, in the design's order.
    """

    def __init__(self, design: Design, history: History, services: Services) -> None:
        self.design = design
        self.history = history
        self.services = services
        self.stores: dict[str, Store] = {}
        base = 0
        for name, plan in design.stores.items():
            self.stores[name] = Store(plan, base, history, services)
            base += len(self.stores[name])
        self.size = base
        """Number of units in all stores."""
        read = [[s.name, {v: s.source_key(v) for v in s.views}] for s in self.stores.values()]
        parts = ["memory", read, services.embedder.fingerprint, services.counter.name]
        if model_needs(design):
            parts.append(services.helper_key)
        self.key = content_key(*parts)
        """Content key of everything that stages read."""

    def store(self, name: str | None) -> Store:
        """A store by name; ``None`` means the only one, or the first."""
        return next(iter(self.stores.values())) if name is None else self.stores[name]

    def named(self, kind: str, path: Path, read: Callable[[Path], T]) -> T:
        """What a file or folder holds that the design names, read once for all questions.

        Args:
            kind: what it is read as.
            path: where it is, resolved. One that the design does not name is read each time.
            read: reads it.

        Raises:
            CannotContinueError: it holds something else than when the design was read.
        """
        if path not in self._contents:
            return read(path)
        return self.services.files.get(kind, path, self._contents[path], read)

    @cached_property
    def _contents(self) -> dict[Path, str | None]:
        return {path.resolve(): digest for path, digest in named_contents(self.design).items()}

    @cached_property
    def _bases(self) -> IntArray:
        return np.array([store.base for store in self.stores.values()], np.int64)

    def store_of(self, ids: IntArray) -> IntArray:
        """Shape of ``ids``: the ordinal of the store that each global unit id belongs to."""
        return np.searchsorted(self._bases, ids, side="right") - 1

    @cached_property
    def first_records(self) -> IntArray:
        """Shape (units,): row in the history of each unit's first record, by global id."""
        return np.concatenate([store.units.first for store in self.stores.values()])

    @cached_property
    def times(self) -> IntArray:
        """Shape (units,): local wall-clock seconds of each unit, by global id."""
        return self.history.times[self.first_records]

    @cached_property
    def sessions(self) -> IntArray:
        """Shape (units,): a number for the session of each unit, by global id.

        A unit without a session stands alone: it has a number of its own, below 0.
        """
        return session_numbers(self.history, self.first_records)

    @cached_property
    def session_order(self) -> IntArray:
        """Shape (units,): global ids, store after store, session after session, each in order."""
        ids = np.arange(self.size)
        return np.lexsort((ids, self.sessions, self.store_of(ids))).astype(np.int64)

    @cached_property
    def last_time(self) -> int:
        """The latest known time in the history, 0 where none is known."""
        known = self.history.times[self.history.times != NO_TIME]
        return int(known.max()) if len(known) else 0

    def source_of(self, unit: int) -> tuple[str, tuple[str, ...]]:
        """The store of a unit and the ids of its records, by global id."""
        if unit not in self._sources:
            name = list(self.stores)[int(np.searchsorted(self._bases, unit, side="right")) - 1]
            units, local = self.stores[name].units, unit - self.stores[name].base
            rows = units.records[units.offsets[local] : units.offsets[local + 1]].tolist()
            self._sources[unit] = name, tuple(dict.fromkeys(self.history.ids[r] for r in rows))
        return self._sources[unit]

    @cached_property
    def _sources(self) -> dict[int, tuple[str, tuple[str, ...]]]:
        # shared by all memories of the same content, since each design of a study opens one
        made: dict[int, tuple[str, tuple[str, ...]]] = self.services.cache.get(f"sources-{self.key}", dict)
        return made

    def text(self, unit: int) -> str:
        """The raw text of a unit by global id."""
        store = self.stores[self.source_of(unit)[0]]
        return store.units.texts[unit - store.base]
