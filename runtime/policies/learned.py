"""The policy ``learned``: small linear models over named features decide what to search for and what to keep.

Without a source of chance it takes the most probable choice each time, so that it decides alike always. With one it
draws, and tells the log-probability of each choice, which is what it learns from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from designsearch.dsl.problems import UserError
from designsearch.runtime.episodes.states import Add, Choice, Decision, Note, Search, Skip, State, Stop
from designsearch.runtime.models.offline.dates import local_day
from designsearch.runtime.policies.heads import (
    RELATIVE,
    Menu,
    Picks,
    decide_logps,
    go_on_features,
    go_on_logps,
    pick_logps,
)
from designsearch.runtime.policies.notes import note_of
from designsearch.runtime.policies.queries import SOURCES, Proposals
from designsearch.runtime.policies.rollout import World
from designsearch.runtime.policies.sight import Sight
from designsearch.runtime.policies.telling import Telling, share
from designsearch.runtime.policies.weights import Weights, load_weights
from designsearch.runtime.question_dates import question_periods
from designsearch.runtime.records import NO_TIME, FloatArray, IntArray
from designsearch.runtime.unit_lengths import unit_lengths

KAPPA = 60.0
DAY = 86_400


class Desk:
    """What policies of one memory share: everything that does not depend on weights, computed once.

    Args:
        sight: features of candidates.
    """

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.memory = sight.memory
        self.telling = Telling(self.memory)
        self.proposals = Proposals(self.memory, self.telling)
        self._words: dict[str, dict[str, float]] = {}
        self._notes: dict[int, Note] = {}
        self._dated: dict[tuple[str, int], bool] = {}

    def words(self, question: str) -> dict[str, float]:
        """The telling words of a question with their weights."""
        if question not in self._words:
            self._words[question] = self.telling.weights(question)
        return self._words[question]

    def covered(self, state: State) -> frozenset[str]:
        """The question's telling words that notes hold."""
        words = self.words(state.question)
        none: frozenset[str] = frozenset()
        return none.union(*(self.telling.held(note.unit, words) for note in state.notes))

    def note(self, unit: int) -> Note:
        """The note about a unit."""
        if unit not in self._notes:
            self._notes[unit] = note_of(self.memory, unit)
        return self._notes[unit]

    def lengths(self, units: Sequence[int]) -> IntArray:
        """Tokens of each unit's text."""
        return unit_lengths(self.memory, np.array(units, np.int64))

    def dated(self, state: State) -> bool:
        """Whether the question names a time."""
        key = state.question, state.as_of
        if key not in self._dated:
            as_of = self.memory.last_time if state.as_of == NO_TIME else state.as_of
            self._dated[key] = bool(question_periods(state.question, local_day(as_of)))
        return self._dated[key]


@dataclass
class Learned:
    """Decides from the state and its weights alone.

    Attributes:
        world: what it decides for.
        desk: what was computed of its memory.
        weights: what it learnt.
        chance: draws; ``None`` takes the most probable choice.
        tape: by row, the choices in order, where it draws: what learning needs to see again.
    """

    world: World
    desk: Desk
    weights: Weights
    chance: np.random.Generator | None = None
    tape: dict[int, list[Menu | Picks]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Find the columns that the weights read among those that the desk has."""
        names = self.desk.sight.names
        self._read = np.array([names.index(name) for name in self.weights.features], np.int64)

    @property
    def fingerprint(self) -> str:
        """What it is."""
        return f"learned-1-{self.weights.fingerprint}"

    def act(self, states: Sequence[State], rows: Sequence[int]) -> list[Decision]:
        """The next action of each episode."""
        reading: dict[tuple[str, int], list[int]] = {}
        for state in states:
            if state.mode == "extract":
                reading.setdefault((state.question, state.as_of), []).extend(one.unit for one in state.candidates)
        self.desk.sight.prepare(list(reading), [np.unique(np.array(own, np.int64)) for own in reading.values()])
        return [
            self._extract(state, row) if state.mode == "extract" else self._decide(state, row)
            for state, row in zip(states, rows, strict=True)
        ]

    def _decide(self, state: State, row: int) -> Decision:
        if "search" not in state.allowed:
            return Decision(Stop())
        covered = self.desk.covered(state)
        made = self.desk.proposals.of(state, self.world.queries.queries[row], covered)
        if not made:
            return Decision(Stop())
        menu = Menu(self._state_features(state, covered), np.array([*(source in made for source in SOURCES), True]), -1)
        logps = decide_logps(self.weights.decide_array, menu)
        picked = int(np.argmax(logps)) if self.chance is None else int(self.chance.choice(len(logps), p=np.exp(logps)))
        self._record(row, Menu(menu.state, menu.open, picked))
        choices = (Choice(picked, float(logps[picked])),)
        if picked == len(SOURCES):
            return Decision(Stop(), choices)
        return Decision(Search(made[SOURCES[picked]], SOURCES[picked]), choices)

    def _state_features(self, state: State, covered: frozenset[str]) -> FloatArray:
        noted = {note.unit for note in state.notes}
        last = [one.unit for one in state.candidates]
        sure = 0.0
        if last:
            base = self._table(state, last) @ self.weights.selector_array
            sure = float(np.exp(base.max() - np.logaddexp.reduce(base)))
        return np.array([
            1.0,
            float(not state.searches),
            1.0 - self._used(state) / self.weights.tokens,
            share(covered, self.desk.words(state.question)),
            sum(unit in noted for unit in last) / max(1, len(last)),
            state.step / state.max_steps,
            float(self.desk.dated(state)),
            sure,
        ])  # fmt: skip

    def _used(self, state: State) -> int:
        return int(self.desk.lengths([note.unit for note in state.notes]).sum())

    def _extract(self, state: State, row: int) -> Decision:
        noted = {note.unit for note in state.notes}
        fresh = [one.unit for one in state.candidates if one.unit not in noted]
        if not fresh:
            return Decision(Skip("nothing new"))
        picks = self._picks(state, fresh)
        self._record(row, picks)
        choices = _choices(self.weights, picks)
        kept = [fresh[place] for place in picks.order[: picks.kept].tolist()]
        if not kept:
            return Decision(Skip("nothing worth a note"), choices)
        return Decision(Add(tuple(self.desk.note(unit) for unit in kept)), choices)

    def _picks(self, state: State, fresh: Sequence[int]) -> Picks:
        """The order in which candidates are kept, and how many."""
        weights = self.weights
        table = self._table(state, fresh)
        base = table @ weights.selector_array
        scores = base + table @ weights.pick_array
        noise = self.chance.gumbel(size=len(scores)) if self.chance is not None else 0.0
        order = np.argsort(-(scores + noise), kind="stable")
        spent = self._used(state) + np.cumsum(self.desk.lengths(fresh)[order])
        before = np.concatenate([[self._used(state)], spent[:-1]])
        steps = go_on_features(base, order, 1.0 - before / weights.tokens, len(state.notes), len(state.searches))
        fits = int(np.searchsorted(spent > weights.tokens, True))
        if not state.notes:
            fits = max(1, fits)
        logits = steps[:fits] @ weights.go_on_array
        bar = self.chance.logistic(size=fits) if self.chance is not None else np.zeros(fits)
        ended = np.flatnonzero(logits <= bar)
        kept = int(ended[0]) if len(ended) else fits
        ends = kept < fits
        return Picks(base, table, order, kept, ends, steps[: kept + ends])

    def _table(self, state: State, units: Sequence[int]) -> FloatArray:
        """Shape (units, columns): features of question and unit, then those of the episode."""
        ids = np.array(units, np.int64)
        seen = self.desk.sight.of((state.question, state.as_of), ids)[:, self._read]
        return np.concatenate([seen, self._relative(state, ids)], axis=1)

    def _relative(self, state: State, ids: IntArray) -> FloatArray:
        memory = self.desk.memory
        ranks = {one.unit: rank for rank, one in enumerate(state.candidates, 1)}
        made = np.zeros((len(ids), len(RELATIVE)))
        made[:, 0] = [KAPPA / (KAPPA + ranks[unit]) for unit in ids.tolist()]
        if state.notes:
            noted = np.array([note.unit for note in state.notes], np.int64)
            made[:, 1] = _shares(memory.times[ids] // DAY, memory.times[noted] // DAY)
            made[:, 2] = _shares(memory.sessions[ids], memory.sessions[noted])
        return made

    def _record(self, row: int, choice: Menu | Picks) -> None:
        if self.chance is not None:
            self.tape.setdefault(row, []).append(choice)


def _shares(own: IntArray, noted: IntArray) -> FloatArray:
    """Shape (units,): the share of notes of the same kind."""
    values, counts = np.unique(noted, return_counts=True)
    places = np.minimum(np.searchsorted(values, own), len(values) - 1)
    return np.asarray(np.where(values[places] == own, counts[places], 0) / len(noted), np.float64)


def _choices(weights: Weights, picks: Picks) -> tuple[Choice, ...]:
    """The choices of an extraction in order: go on, which, go on, which, ..., end."""
    going = go_on_logps(weights.go_on_array, picks).tolist()
    which = pick_logps(weights.pick_array, picks).tolist()
    made: list[Choice] = []
    for place, logp, go in zip(picks.order[: picks.kept].tolist(), which, going, strict=False):
        made += [Choice(1, go), Choice(place, logp)]
    return (*made, Choice(0, going[-1])) if picks.ends else tuple(made)


def make(world: World, weights: Path | None) -> Learned:
    """The policy for a world.

    Raises:
        UserError: no weights are named, they cannot be read, or the design lacks a view that they read.
    """
    if weights is None:
        raise UserError(
            "policy: learned needs a file of weights (weights: FILE); `designsearch policy train` writes one"
        )
    loaded = world.memory.named("policy weights", weights, load_weights)
    try:
        sight = Sight(world.memory, loaded.features)
    except UserError as error:
        raise UserError(f"{weights}: {error}") from None
    return Learned(world, Desk(sight), loaded)
