"""What the memory policies of a design did on many questions: counts of their actions, and how far evidence came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from designsearch.episode_trace import EpisodeStep, episode_steps
from designsearch.runtime.episodes.states import ACTION_TYPES, ActionType
from designsearch.search.evaluate import Pass
from designsearch.search.results import Key
from designsearch.search.training.judging.judged import Judged


@dataclass(frozen=True)
class Play:
    """One episode.

    Attributes:
        stage: where the policy stands in the design.
        key: of the question.
        judged: the episode with its question.
    """

    stage: str
    key: Key
    judged: Judged

    @property
    def steps(self) -> tuple[EpisodeStep, ...]:
        """What was done, as people read it."""
        return episode_steps(self.judged.trajectory, self.judged.memory)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, without the question and its gold answer."""
        return {"stage": self.stage, "steps": [asdict(step) for step in self.steps]}


@dataclass(frozen=True, slots=True)
class PlayFigures:
    """The episodes of one policy together.

    Attributes:
        stage: where the policy stands in the design.
        episodes: their number.
        actions: how often each action was taken, an episode.
        notes: notes at the end, an episode.
        observed: tokens that the policy was shown, an episode.
        forced: episodes that ended although the policy did not choose to.
        found: share of a question's gold records that its searches showed; ``None`` where no question has any.
        noted: share that its notes cite at the end; ``None`` likewise.
    """

    stage: str
    episodes: int
    actions: Mapping[ActionType, float]
    notes: float
    observed: float
    forced: int
    found: float | None
    noted: float | None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "stage": self.stage,
            "episodes": self.episodes,
            "actions": dict(self.actions),
            "notes": self.notes,
            "observed_tokens": self.observed,
            "forced": self.forced,
            "evidence_found": self.found,
            "evidence_noted": self.noted,
        }


def plays(passes: Sequence[Pass]) -> Iterator[Play]:
    """The episodes of batches that went through a design, policies inside other stages included."""
    for done in passes:
        for step in done.run.steps:
            for i, row in enumerate(done.rows):
                question = done.task.questions[row]
                key = Key(done.task.name, question.id)
                for path, _, episode in step.played(i):
                    yield Play(path, key, Judged(question, episode, done.memory))


Played = Mapping[Key, Sequence[Play]]
"""The episodes of each question."""


def by_question(played: Iterable[Play]) -> Played:
    """The episodes of each question, in order."""
    found: dict[Key, list[Play]] = {}
    for play in played:
        found.setdefault(play.key, []).append(play)
    return found


def play_figures(played: Sequence[Play]) -> list[PlayFigures]:
    """The figures of each policy, in the order of the cascade."""
    stages = dict.fromkeys(play.stage for play in played)
    return [_figures(stage, [play.judged for play in played if play.stage == stage]) for stage in stages]


def _figures(stage: str, own: Sequence[Judged]) -> PlayFigures:
    taken = [step.action.type for one in own for step in one.trajectory.steps]
    known = [one for one in own if one.gold]
    return PlayFigures(
        stage=stage,
        episodes=len(own),
        actions={kind: taken.count(kind) / len(own) for kind in ACTION_TYPES},
        notes=fmean(len(one.trajectory.notes) for one in own),
        observed=fmean(one.trajectory.observed for one in own),
        forced=sum(bool(one.trajectory.forced) for one in own),
        found=fmean(one.found for one in known) if known else None,
        noted=fmean(one.recall for one in known) if known else None,
    )
