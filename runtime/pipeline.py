"""Run a cascade over a batch of questions, stage by stage, each result cached by the content of its inputs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import numpy as np

from designsearch.dsl.operators import Cascade, Stage
from designsearch.runtime.cache import content_key
from designsearch.runtime.episodes.explored import Episodes, Explored, spread_episodes
from designsearch.runtime.episodes.fates import FATES, fate
from designsearch.runtime.memory import Memory
from designsearch.runtime.question_tests import holds
from designsearch.runtime.records import IntArray, Queries, Rankings, hash_texts


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
    """

    path: str
    op: str
    ranking: Rankings | None
    queries: Queries
    narrows: bool
    seconds: float
    episodes: Episodes = ()


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
        path: where the cascade stands in the design, for the trace.

    Returns:
        The final ranking and what each stage left.
    """
    state = _State(queries, queries_key(queries))
    steps = [_run_stage(memory, stage, state, f"{path}[{i}]") for i, stage in enumerate(stages)]
    final = state.open[-1][0] if state.open else Rankings.empty(len(queries))
    return Run(final, tuple(steps))


def _run_stage(memory: Memory, stage: Stage, state: _State, path: str) -> Step:
    began = perf_counter()
    kind = stage.operator.stage
    _STEPS[kind](memory, stage, state)
    ranking = None if kind == "query" else state.open[-1][0]
    episodes = ranking.episodes if kind == "branch" and isinstance(ranking, Explored) else ()
    return Step(path, stage.op, ranking, state.queries, kind in ("fuse", "refine"), perf_counter() - began, episodes)


def _query(memory: Memory, stage: Stage, state: _State) -> None:
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

    state.queries = memory.services.cache.get(key, make)
    state.queries_key = queries_key(state.queries)


def _retrieve(memory: Memory, stage: Stage, state: _State) -> None:
    key = content_key("rank", _reads(memory, stage), stage.canonical(), state.queries_key, _when_key(stage, state))

    def make() -> Rankings:
        rows = _rows(stage, state)
        queries = state.queries if rows is None else state.queries.select(rows)
        made: Rankings = stage.operator.function(stage.params, queries, memory)
        return made if rows is None else _found_for(made, rows, len(state.queries))

    state.open.append((memory.services.cache.get(key, make), key))


def _found_for(made: Rankings, rows: IntArray, questions: int) -> Rankings:
    """What was found for some questions of a batch; nothing for the others."""
    ranking = _spread(made, rows, Rankings.empty(questions))
    if not isinstance(made, Explored):
        return ranking
    return Explored.joined(ranking, spread_episodes(made.episodes, rows, questions))


def _fuse(memory: Memory, stage: Stage, state: _State) -> None:
    key = content_key("fuse", stage.canonical(), [k for _, k in state.open])

    def make() -> Rankings:
        made: Rankings = stage.operator.function(stage.params, [r for r, _ in state.open], memory)
        return made

    state.open = [(memory.services.cache.get(key, make), key)]


def _refine(memory: Memory, stage: Stage, state: _State) -> None:
    before, before_key = state.open[-1]
    key = content_key("refine", memory.key, stage.canonical(), before_key, state.queries_key)

    def make() -> Rankings:
        rows = _rows(stage, state)
        ranking = before if rows is None else before.select(rows)
        queries = state.queries if rows is None else state.queries.select(rows)
        made: Rankings = stage.operator.function(stage.params, ranking, queries, memory)
        return made if rows is None else _spread(made, rows, before)

    state.open[-1] = (memory.services.cache.get(key, make), key)


_STEPS: dict[str, Callable[[Memory, Stage, _State], None]] = {
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


def lost_at(steps: Sequence[Step], question: int, units: IntArray) -> tuple[str | None, int | None]:
    """Which stage lost a record, asked by the units that show it.

    Args:
        steps: of a run.
        question: position in the batch.
        units: global ids of the units that show the record.

    Returns:
        The path of the first stage after which none of the units was ranked any more and the best rank before it;
        ``("context", rank)`` where one stood in the final ranking; ``(None, None)`` where none was ever ranked. Where
        a policy might have ranked it: how far it came there, as in ``("retrieval[0].extract", 3)``.
    """
    rank: int | None = None
    path: str | None = None
    for step in steps:
        if step.ranking is None:
            continue
        ids, _ = step.ranking.of_question(question)
        places = [int(np.argmax(found)) for unit in units if (found := ids == unit).any()]
        if places:
            rank, path = min(places) + 1, None
        elif rank is not None and path is None and step.narrows:
            path = step.path
    if rank is None and len(units):
        return _lost_in_episode(steps, question, units)
    return (None, None) if rank is None else (path or "context", rank)


def _lost_in_episode(steps: Sequence[Step], question: int, units: IntArray) -> tuple[str | None, int | None]:
    """The policy that brought a record nearest to the ranking, and how far; nothing where there is no policy."""
    nearest = -1
    found: tuple[str | None, int | None] = None, None
    for step in steps:
        episode = step.episodes[question] if step.episodes else None
        if episode is not None:
            how, rank = fate(episode, units.tolist())
            if FATES.index(how) > nearest:
                nearest, found = FATES.index(how), (f"{step.path}.{how}", rank)
    return found
