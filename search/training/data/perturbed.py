"""A policy that now and then does something else than it would: episodes of varied quality to learn and to judge by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from designsearch.runtime.episodes.states import Action, Add, Decision, Search, Skip, State, Stop
from designsearch.runtime.lexical_tokens import words
from designsearch.runtime.policies.notes import note_of
from designsearch.runtime.policies.rollout import Policy, World
from designsearch.runtime.records import Query


@dataclass
class Perturbed:
    """Replaces decisions of another policy by allowed ones drawn at random.

    What is drawn for an episode depends on the seed and on its place in the batch, not on how other episodes go.

    Attributes:
        world: what is decided for.
        inner: the policy.
        rate: share of the decisions that are replaced.
        seed: of the draws.
    """

    world: World
    inner: Policy
    rate: float
    seed: int = 0
    _chances: dict[int, np.random.Generator] = field(default_factory=dict, repr=False)

    @property
    def fingerprint(self) -> str:
        """Of the policy and of what is done to it."""
        return f"{self.inner.fingerprint} perturbed {self.rate} {self.seed}"

    def act(self, states: Sequence[State], rows: Sequence[int]) -> list[Decision]:
        """See :meth:`~designsearch.runtime.policies.rollout.Policy.act`."""
        decisions = self.inner.act(states, rows)
        return [
            Decision(self._other(state, self._chance(row))) if self._chance(row).random() < self.rate else decision
            for state, row, decision in zip(states, rows, decisions, strict=True)
        ]

    def _chance(self, row: int) -> np.random.Generator:
        return self._chances.setdefault(row, np.random.default_rng([self.seed, row]))

    def _other(self, state: State, chance: np.random.Generator) -> Action:
        kind = state.allowed[int(chance.integers(len(state.allowed)))]
        if kind == "search":
            return self._search(state, chance)
        if kind == "add" and state.candidates:
            count = int(chance.integers(1, len(state.candidates) + 1))
            picked = sorted(chance.choice(len(state.candidates), count, replace=False).tolist())
            return Add(tuple(note_of(self.world.memory, state.candidates[i].unit) for i in picked))
        return Skip("drawn") if state.mode == "extract" else Stop()

    def _search(self, state: State, chance: np.random.Generator) -> Search:
        """A search for some words of the question, of what was noted last, or of a question beside it."""
        texts = [state.question, self.world.queries.questions[int(chance.integers(len(self.world)))]]
        texts += [self.world.memory.text(note.unit) for note in state.notes[-1:]]
        said = list(dict.fromkeys(words(texts[int(chance.integers(len(texts)))]))) or [state.question]
        picked = sorted(chance.choice(len(said), min(len(said), int(chance.integers(1, 7))), replace=False).tolist())
        return Search(Query("keywords", " ".join(said[i] for i in picked)), "drawn")
