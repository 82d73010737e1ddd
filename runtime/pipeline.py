"""Run a cascade over a batch of questions, stage by stage, each result cached by the content of its inputs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

from designsearch.dsl.operators import Cascade, Stage
from designsearch.runtime.cache import content_key
from designsearch.runtime.episodes.explored import Episodes, Explored, spread_episodes
from designsearch.runtime.episodes.nested import Nested, listening, tell
from designsearch.runtime.episodes.states import Trajectory
from designsearch.runtime.memory import Memory
from designsearch.runtime.question_tests import holds
from designsearch.runtime.records import IntArray, Queries, Rankings, hash_texts

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Step:
    """What one stage left behind for the whole batch.

    Attributes:
        path: where the stage stands, as in ``retrieval[1]``.
        op: the operator's name.
        ranking: the ranking that it added or left; ``None`` for a query stage.
        queries: the queries after it.
        narrows: whether it worked on the rankings before it (a retriever adds one of its own).
        seconds: time spent now, 0 where the result came from the cache.
        episodes: what a policy did for each question; empty for other stages.
        nested: what policies inside it did.
    """

    path: str
    op: str
    ranking: Rankings | None
    queries: Queries
    narrows: bool
    seconds: float
    episodes: Episodes = ()
    nested: tuple[Nested, ...] = ()

    def played(self, question: int, *, ranked: bool = False) -> Iterator[tuple[str, str, Trajectory]]:
        """What policies did for a question: where each stands, its operator and its episode; this stage's own first.

        Args:
            question: position in the batch.
            ranked: leave out those that only helped to word queries.
        """
        own = self.episodes[question] if self.episodes else None
        if own is not None:
            yield self.path, self.op, own
        asked = self.queries.questions[question], int(self.queries.as_of[question])
        for one in self.nested:
            if one.ranks or not ranked:
                yield from ((f"{self.path}.{one.path}", one.op, episode) for episode in one.about(*asked))


@dataclass(frozen=True, slots=True)
class Run:
    """A cascade's final ranking and its steps."""

    ranking: Rankings
    steps: tuple[Step, ...]


@dataclass
class _State:
    queries: Queries
    queries_key: str
    open: list[tuple[Rankings, str]] = field(default_factory=list)


def queries_key(queries: Queries) -> str:
    """Content key of a batch of queries."""
    h = hashlib.blake2b(digest_size=16)
    h.update(np.ascontiguousarray(queries.as_of).tobytes())
    hash_texts(h, queries.questions)
    hash_texts(h, [repr([(q.kind, q.text, q.weight, q.terms) for q in own]) for own in queries.queries])
    return h.hexdigest()


def run_cascade(memory: Memory, stages: Cascade, queries: Queries, path: str = "retrieval") -> Run:
    """Run stages from top to bottom.

    Args:
        memory: what to search.
        stages: a validated cascade: it ends in exactly one open ranking.
        queries: the batch.
        path: where the cascade stands, for the trace: in the design, or in the stage that it is a part of.

    Returns:
        The final ranking and what each stage left.
    """
    state = _State(queries, queries_key(queries))
    steps = [_run_stage(memory, stage, state, f"{path}[{i}]") for i, stage in enumerate(stages)]
    tell(_policies(steps))
    final = state.open[-1][0] if state.open else Rankings.empty(len(queries))
    return Run(final, tuple(steps))


def _policies(steps: Sequence[Step]) -> Iterator[Nested]:
    """The policies of a cascade and those inside its stages."""
    for step in steps:
        own = tuple(one for one in step.episodes if one is not None)
        if own:
            yield Nested(step.path, step.op, own)
        for one in step.nested:
            ranks = one.ranks and step.ranking is not None
            yield Nested(f"{step.path}.{one.path}", one.op, one.episodes, ranks)


def _run_stage(memory: Memory, stage: Stage, state: _State, path: str) -> Step:
    began = perf_counter()
    kind = stage.operator.stage
    nested = _STEPS[kind](memory, stage, state)
    ranking = None if kind == "query" else state.open[-1][0]
    episodes = ranking.episodes if kind == "branch" and isinstance(ranking, Explored) else ()
    narrows, seconds = kind in ("fuse", "refine"), perf_counter() - began
    return Step(path, stage.op, ranking, state.queries, narrows, seconds, episodes, nested)


def _kept(memory: Memory, key: str, make: Callable[[], T]) -> tuple[T, tuple[Nested, ...]]:
    """The result of a stage, made unless it is there, with what policies inside the stage did."""
    return memory.services.cache.get(key, lambda: listening(make))


def _query(memory: Memory, stage: Stage, state: _State) -> tuple[Nested, ...]:
    key = content_key("query", memory.key, stage.canonical(), state.queries_key, _when_key(stage, state))

    def on_rows(queries: Queries) -> Queries:
        made: Queries = stage.operator.function(stage.params, queries, memory)
        return made

    def make() -> Queries:
        rows = _rows(stage, state)
        if rows is None:
            return on_rows(state.queries)
        changed = on_rows(state.queries.select(rows))
        merged = list(state.queries.queries)
        for row, own in zip(rows, changed.queries, strict=True):
            merged[int(row)] = own
        return replace(state.queries, queries=tuple(merged))

    state.queries, nested = _kept(memory, key, make)
    state.queries_key = queries_key(state.queries)
    return nested


def _retrieve(memory: Memory, stage: Stage, state: _State) -> tuple[Nested, ...]:
    key = content_key("rank", _reads(memory, stage), stage.canonical(), state.queries_key, _when_key(stage, state))

    def make() -> Rankings:
        rows = _rows(stage, state)
        queries = state.queries if rows is None else state.queries.select(rows)
        made: Rankings = stage.operator.function(stage.params, queries, memory)
        return made if rows is None else _found_for(made, rows, len(state.queries))

    ranking, nested = _kept(memory, key, make)
    state.open.append((ranking, key))
    return nested


def _found_for(made: Rankings, rows: IntArray, questions: int) -> Rankings:
    """What was found for some questions of a batch; nothing for the others."""
    ranking = _spread(made, rows, Rankings.empty(questions))
    if not isinstance(made, Explored):
        return ranking
    return Explored.joined(ranking, spread_episodes(made.episodes, rows, questions))


def _fuse(memory: Memory, stage: Stage, state: _State) -> tuple[Nested, ...]:
    key = content_key("fuse", stage.canonical(), [k for _, k in state.open])

    def make() -> Rankings:
        made: Rankings = stage.operator.function(stage.params, [r for r, _ in state.open], memory)
        return made

    ranking, nested = _kept(memory, key, make)
    state.open = [(ranking, key)]
    return nested


def _refine(memory: Memory, stage: Stage, state: _State) -> tuple[Nested, ...]:
    before, before_key = state.open[-1]
    key = content_key("refine", memory.key, stage.canonical(), before_key, state.queries_key)

    def make() -> Rankings:
        rows = _rows(stage, state)
        ranking = before if rows is None else before.select(rows)
        queries = state.queries if rows is None else state.queries.select(rows)
        made: Rankings = stage.operator.function(stage.params, ranking, queries, memory)
        return made if rows is None else _spread(made, rows, before)

    ranking, nested = _kept(memory, key, make)
    state.open[-1] = (ranking, key)
    return nested


_STEPS: dict[str, Callable[[Memory, Stage, _State], tuple[Nested, ...]]] = {
    "query": _query,
    "retrieve": _retrieve,
    "branch": _retrieve,
    "fuse": _fuse,
    "refine": _refine,
}


def _reads(memory: Memory, stage: Stage) -> Any:
    """What a retriever reads: one view of one store where it names them, else the whole memory."""
    view = getattr(stage.params, "view", None)
    if view is None:
        return memory.key
    store = memory.store(getattr(stage.params, "store", None))
    return [store.base, store.view_key(view), memory.services.embedder.fingerprint]


def _when_key(stage: Stage, state: _State) -> str:
    reads_ranking = stage.when is not None and stage.when.subject.startswith("ranking.")
    return state.open[-1][1] if reads_ranking and state.open else ""


def _rows(stage: Stage, state: _State) -> IntArray | None:
    """The questions that the stage applies to, or ``None`` for all."""
    if stage.when is None:
        return None
    ranking = state.open[-1][0] if state.open else None
    return np.flatnonzero(holds(stage.when, state.queries.questions, ranking))


def _spread(part: Rankings, rows: IntArray, rest: Rankings) -> Rankings:
    """The rankings of ``rest`` with those of ``rows`` replaced by ``part``."""
    sizes = rest.sizes.copy()
    sizes[rows] = part.sizes
    offsets = np.zeros(len(rest) + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    ids, scores = np.zeros(offsets[-1], np.int64), np.zeros(offsets[-1])
    kept = np.ones(len(rest), bool)
    kept[rows] = False
    for source, questions in ((part, rows), (rest, None)):
        which = np.flatnonzero(kept) if questions is None else questions
        picked = source if questions is not None else source.select(which)
        target = np.repeat(offsets[which] - picked.offsets[:-1], picked.sizes) + np.arange(len(picked.ids))
        ids[target], scores[target] = picked.ids, picked.scores
    return Rankings(offsets, ids, scores)
