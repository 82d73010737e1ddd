"""A memory policy as a stage of the cascade: it looks for evidence step by step and ranks its notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
from pydantic import field_validator, model_validator

from designsearch.dsl.design import Design
from designsearch.dsl.file_digest import file_named
from designsearch.dsl.operators import Cascade, ModelWork, Params, Tune, operator, param
from designsearch.runtime.episodes.explored import Explored
from designsearch.runtime.episodes.states import ACTION_TYPES, ActionType, Candidate, Note, NotesRule, Trajectory
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.policy.cited import cited_units
from designsearch.runtime.operators.policy.whole import Whole
from designsearch.runtime.pipeline import run_cascade
from designsearch.runtime.policies.makers import PolicyName, make_policy
from designsearch.runtime.policies.notes import note_of
from designsearch.runtime.policies.rollout import SEARCH, Reading, World, rollout
from designsearch.runtime.records import Queries, Ranked, Rankings

SHOWN = 5
"""Units that a request shows, about: a search shows more, and between searches there are notes alone."""


class PolicyParams(Params):
    """Parameters of ``policy``."""

    paths: ClassVar[tuple[str, ...]] = ("weights",)

    policy: PolicyName = param("rules", about="who decides")
    weights: str | None = param(
        None,
        min_length=1,
        about="the file of weights that policy learned needs, seen from the design's file; others have none",
    )
    max_steps: int = param(
        8, ge=2, le=200, about="times that it decides between searching and stopping at most", tune=Tune(2, 12)
    )
    observation_tokens: int = param(
        10_240,
        ge=50,
        le=1_000_000,
        about="tokens of what a search found that it is shown: whole units by rank, at least the first",
        tune=Tune(1000, 20_000, log=True),
    )
    search: Cascade = param(about="the inner cascade that each search runs", min_length=1)
    store: str | None = param(
        None, about="which store's units the notes become; those that were found where none is named"
    )
    rest: bool = param(False, about="whether what was found and not kept follows after the notes", tune=True)
    notes: NotesRule = param(
        "append",
        about="what writing does to the notes that are there: nothing, those about the same unit give way, or all do",
    )
    reading: Reading = param(
        "ranked",
        about="how what a search finds is shown: the best first, or in order of time, on from where the last one ended",
    )
    actions: tuple[ActionType, ...] = param(
        ACTION_TYPES,
        about="what policy llm is offered: without search and stop it searches for the question itself until nothing "
        "more is found, without add and skip it keeps all that is found",
    )
    instructions: str | None = param(
        None,
        min_length=1,
        max_length=4000,
        about="how policy llm is to go about it; it reads that, as it is written here, beside what its tools are for",
    )

    @field_validator("actions")
    @classmethod
    def _in_one_order(cls, actions: tuple[ActionType, ...]) -> tuple[ActionType, ...]:
        """The same set is one design, however it is written."""
        return tuple(type_ for type_ in ACTION_TYPES if type_ in actions)

    @model_validator(mode="after")
    def _agree(self) -> PolicyParams:
        """Raise where the settings make no policy."""
        if self.policy == "learned" and self.weights is None:
            raise ValueError("policy learned needs its weights: add weights: FILE")
        if self.policy == "rules" and self.weights is not None:
            raise ValueError("policy rules has no weights: leave weights out, or name the policy that they belong to")
        if self.policy == "llm" and self.weights is not None:
            raise ValueError(
                "policy llm loads no weights itself: leave weights out, and name a server with them as models.helper"
            )
        if self.policy != "llm" and self.actions != ACTION_TYPES:
            raise ValueError(f"actions are offered to policy llm alone; leave them out with policy {self.policy}")
        if self.policy != "llm" and self.instructions is not None:
            raise ValueError(f"instructions are read by policy llm alone; leave them out with policy {self.policy}")
        for needed, beside in (("search", "stop"), ("add", "skip")):
            if beside in self.actions and needed not in self.actions:
                raise ValueError(f"actions with {beside} need {needed} too")
        if not self.actions:
            raise ValueError("actions are empty: with none of them nothing is left to decide")
        return self

    def world(self, memory: Memory, queries: Queries) -> World:
        """Where the episodes of some questions take place."""
        return World(
            memory,
            queries,
            self.search,
            self.max_steps,
            self.observation_tokens,
            self.notes,
            self.reading,
            self.actions,
            self.instructions or "",
        )

    def weights_file(self, design: Design) -> Path | None:
        """The file of weights; ``None`` where none is named."""
        if self.weights is None:
            return None
        return file_named(self.weights, design.base_dir).resolve()

    def calls_model(self) -> bool:
        """Only ``llm`` does."""
        return self.policy == "llm"

    def model_work(self) -> ModelWork:
        """A request for each decision and each extraction, with what a search found in half of them."""
        modes = ("search" in self.actions) + ("add" in self.actions)
        return ModelWork(requests=modes * (self.max_steps - 1), shown=SHOWN)


Shown = Callable[[Note], list[int]]


@operator("policy", "branch", PolicyParams, scale="unscaled", needs_model=True)
def policy(params: PolicyParams, queries: Queries, m: Memory) -> Explored:
    """Let a memory policy look for evidence, step by step (AiO-Mem, Wang et al. 2026).

    In each step it searches or stops; after a search it writes notes of what was found, which cite the source text, or
    skips it. Searches of all questions go through the inner cascade together. The last of ``max_steps`` decisions can
    only be to stop.

    The ranking: the notes in the order of writing, with ``rest`` behind them what was found and not kept, search by
    search; the score is 1 / rank. With ``store`` the units of that store stand in their places that show the same
    source text. An episode that was forced to stop before there was a note ranks what the inner cascade finds for the
    question.

    The context shows what the notes cite, word for word, and no more of the unit, whichever stage ranks it in the end;
    a unit of ``store`` is shown whole. What a model wrote in a note is ``note.content`` in the template of an item.

    With ``policy: llm`` the helper decides, by tools, and is offered the ``actions`` alone.
    """
    world = params.world(m, queries)
    episodes = rollout(world, Whole(make_policy(params.policy, world, params.weights_file(m.design))))
    shown = _shown(params, m)
    plain = _plain(episodes, world)
    if params.store is not None:
        episodes = tuple(replace(one, placed=tuple(_placed(one, shown, m))) for one in episodes)
    rows: list[Ranked] = []
    for row, episode in enumerate(episodes):
        units = plain[row] if row in plain else [one.unit for one in _rest(episode, params)]
        notes = [*episode.notes, *(note_of(m, unit) for unit in units)]
        ids = list(dict.fromkeys(unit for note in notes for unit in shown(note)))
        rows.append((ids, [1.0 / rank for rank in range(1, len(ids) + 1)]))
    return Explored.joined(Rankings.of(rows), episodes)


def _plain(episodes: Sequence[Trajectory], world: World) -> dict[int, list[int]]:
    """What the inner cascade finds for the questions whose episodes were forced to stop without a note, by row."""
    failed = [row for row, one in enumerate(episodes) if one.forced and not one.notes]
    if not failed:
        return {}
    queries = world.queries.select(np.array(failed, np.int64))
    ranking = run_cascade(world.memory, world.search, queries, SEARCH).ranking
    return {row: ranking.of_question(i)[0].tolist() for i, row in enumerate(failed)}


def _shown(params: PolicyParams, m: Memory) -> Shown:
    """The units that stand in the ranking for a note."""
    if params.store is None:
        return lambda note: [note.unit]
    units = cited_units(m, params.store)
    return lambda note: units.showing(note.cited)


def _placed(episode: Trajectory, shown: Shown, m: Memory) -> Iterator[Note]:
    """The units that stand in the ranking for notes, as notes; the first of a note has what a model wrote."""
    for note in episode.notes:
        for place, unit in enumerate(shown(note)):
            yield note_of(m, unit, "" if place else note.content)


def _rest(episode: Trajectory, params: PolicyParams) -> Iterable[Candidate]:
    """What was found, in order; the units of notes among it stand before."""
    return (one for step in episode.steps for one in (*step.found, *step.hidden)) if params.rest else ()
