"""Chance with a memory: Optuna over the tunable parameters, and adding, removing and swapping stages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import optuna
from optuna.samplers import BaseSampler, RandomSampler, TPESampler
from optuna.trial import create_trial

from designsearch.search.catalogue import Tunable, tunables
from designsearch.search.proposers.base import Proposal, ProposalState
from designsearch.search.proposers.structure import Move, moves
from designsearch.search.proposers.workpiece import Workpiece, revised
from designsearch.search.study_choices import SamplerOptions

_TRIES = 12
"""Draws of parameters before the sampler turns to the structure."""


class SamplerProposer:
    """Half of its proposals set parameters, half change the structure.

    Args:
        options: as the study gives them.
    """

    name = "sampler"

    def __init__(self, options: SamplerOptions | None = None) -> None:
        self.options = options or SamplerOptions()

    def propose(self, state: ProposalState) -> Proposal | None:
        """A drawn change of the incumbent; ``None`` where every change was tried."""
        structural = state.random("sampler").random() < self.options.structure
        ways = [self._structure, self._parameters] if structural else [self._parameters, self._structure]
        return ways[0](state) or ways[1](state)

    # ---------------------------------------------------------- parameters

    def _parameters(self, state: ProposalState) -> Proposal | None:
        found = tunables(Workpiece.of(state).tree, state.registry)
        if not found:
            return None
        draw = state.random("parameters")
        for attempt in range(_TRIES):
            chosen = draw.sample(found, draw.randint(1, min(self.options.most, len(found))))
            piece = Workpiece.of(state)
            drawn = suggest(state, chosen, self.options, draw.randrange(2**31))
            for one in chosen:
                if drawn[one.name] != one.value:
                    piece.set(one.path, drawn[one.name])
            if piece.edits and piece.fresh(state) is not None:
                turned = [one for one in chosen if drawn[one.name] != one.value]
                said = ", ".join(f"{t.name} {_shown(t.value)} -> {_shown(drawn[t.name])}" for t in turned)
                return piece.proposal(
                    rationale=f"{self.options.sampler}: {said}",
                    expected="a better setting of what is there",
                    proposer=self.name,
                    params={"kind": "parameters", "draw": attempt},
                )
        return None

    # ----------------------------------------------------------- structure

    def _structure(self, state: ProposalState) -> Proposal | None:
        draw = state.random("structure")
        by_kind: dict[str, list[Move]] = {}
        for move in moves(Workpiece.of(state)):
            by_kind.setdefault(move.kind, []).append(move)
        while by_kind:
            kind = draw.choice(sorted(by_kind))
            own = by_kind[kind]
            move = own.pop(draw.randrange(len(own)))
            if not own:
                del by_kind[kind]
            piece = revised(state, move.change)
            if piece is not None:
                return piece.proposal(
                    rationale=move.what,
                    expected="another structure may suit this history better",
                    proposer=self.name,
                    params={"kind": move.kind},
                )
        return None


def suggest(state: ProposalState, chosen: Sequence[Tunable], options: SamplerOptions, seed: int) -> dict[str, Any]:
    """Values for some settings by name, given all designs scored so far.

    Args:
        state: of the study.
        chosen: the settings with what they may be.
        options: which of Optuna's samplers draws.
        seed: of the draw.
    """
    sampler: BaseSampler = RandomSampler(seed=seed)
    if options.sampler == "tpe":
        sampler = TPESampler(seed=seed, n_startup_trials=options.startup)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    space = {one.name: one.range.distribution() for one in chosen}
    for attempt in state.attempts:
        if attempt.value is None:
            continue
        # only settings that lie within what is drawn from now: others say nothing about it
        known = {
            name: attempt.parameters[name]
            for name, span in space.items()
            if name in attempt.parameters and span._contains(span.to_internal_repr(attempt.parameters[name]))  # noqa: SLF001
        }
        if len(known) == len(space):
            study.add_trial(create_trial(params=known, distributions=space, value=attempt.value))
    return {name: _rounded(value) for name, value in study.ask(fixed_distributions=space).params.items()}


def _rounded(value: Any) -> Any:
    """Three significant digits are enough for people to read."""
    return float(f"{value:.3g}") if isinstance(value, float) else value


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
