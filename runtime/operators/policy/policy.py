"""A memory policy as a stage of the cascade: it looks for evidence step by step and ranks its notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ClassVar

from designsearch.dsl.operators import Cascade, Params, Tune, operator, param
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.policy.cited import cited_units
from designsearch.runtime.policies.episodes import Candidate, Note, Trajectory
from designsearch.runtime.policies.explored import Explored
from designsearch.runtime.policies.makers import PolicyName, make_policy
from designsearch.runtime.policies.notes import note_of
from designsearch.runtime.policies.rollout import World, rollout
from designsearch.runtime.records import Queries, Ranked, Rankings


class PolicyParams(Params):
    """Parameters of ``policy``."""

    paths: ClassVar[tuple[str, ...]] = ("weights",)

    policy: PolicyName = param("rules", about="who decides")
    weights: str | None = param(
        None, about="the file or folder of the policy's weights, seen from the design's file; rules has none"
    )
    max_steps: int = param(
        8, ge=2, le=50, about="times that it decides between searching and stopping at most", tune=Tune(2, 12)
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


Shown = Callable[[Note], list[int]]


@operator("policy", "branch", PolicyParams, scale="unscaled")
def policy(params: PolicyParams, queries: Queries, m: Memory) -> Explored:
    """Let a memory policy look for evidence, step by step (AiO-Mem, Wang et al. 2026).

    In each step it searches or stops; after a search it writes notes of what was found, which cite the source text, or
    skips it. Searches of all questions go through the inner cascade together. The last of ``max_steps`` decisions can
    only be to stop.

    The ranking: the notes in the order of writing, with ``rest`` behind them what was found and not kept, search by
    search; the score is 1 / rank. With ``store`` the units of that store stand in their places that show the same
    source text.
    """
    world = World(m, queries, params.search, params.max_steps, params.observation_tokens)
    episodes = rollout(world, make_policy(params.policy, world, _weights(params, m)))
    shown = _shown(params, m)
    rows: list[Ranked] = []
    for episode in episodes:
        notes = [*episode.notes, *(note_of(m, one.unit) for one in _rest(episode, params))]
        ids = list(dict.fromkeys(unit for note in notes for unit in shown(note)))
        rows.append((ids, [1.0 / rank for rank in range(1, len(ids) + 1)]))
    return Explored.joined(Rankings.of(rows), episodes)


def _weights(params: PolicyParams, m: Memory) -> Path | None:
    if params.weights is None:
        return None
    return (m.design.base_dir or Path()).joinpath(Path(params.weights).expanduser()).resolve()


def _shown(params: PolicyParams, m: Memory) -> Shown:
    """The units that stand in the ranking for a note."""
    if params.store is None:
        return lambda note: [note.unit]
    units = cited_units(m, params.store)
    return lambda note: units.showing(note.cited)


def _rest(episode: Trajectory, params: PolicyParams) -> Iterable[Candidate]:
    """What was found, in order; the units of notes among it stand before."""
    return (one for step in episode.steps for one in (*step.found, *step.hidden)) if params.rest else ()
