"""Training data of reward models from the episodes of a design's policy: what the command and Python share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from designsearch.dsl.design import Design
from designsearch.dsl.problems import CannotContinueError, UserError
from designsearch.result_files import write_bytes, write_result
from designsearch.runtime.models.base import Model
from designsearch.runtime.services import Services
from designsearch.search.evaluate import Task
from designsearch.search.lock import Say
from designsearch.search.new_folder import check_makable, make_folder
from designsearch.search.training.data.episodes import Sampling, sampled
from designsearch.search.training.data.pairs import (
    Preferred,
    conversation_row,
    lines,
    preference_row,
    preferences,
    rule_judgement,
    sft_row,
)
from designsearch.search.training.data.parquet import parquet_of
from designsearch.search.training.data.rollout_rows import rollout_rows
from designsearch.search.training.extra import need
from designsearch.search.training.judging.generative_reward import GenerativeReward
from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.judging.opinions import RewardJudge
from designsearch.search.training.judging.strict_rewards import StrictJudge
from designsearch.search.training.reward_model.categorical_reward import CategoricalReward, Steps
from designsearch.search.training.reward_model.reward_file import reward_text
from designsearch.search.training.reward_model.reward_training import Example, Pair, train_dpo, train_sft
from designsearch.search.training.reward_model.step_features import StepFeatures

FILES = ("sft.jsonl", "preferences.jsonl", "rollouts.jsonl", "reward.json")
"""What is written: examples of both stages as TRL takes them, tasks with episodes as verl does, and a small model."""

PARQUET = "sft.parquet"
"""The examples of the first stage as verl takes them, where they are asked for."""


@dataclass(frozen=True)
class RewardData:
    """What training takes.

    Attributes:
        episodes: those that were kept.
        drawn: number of episodes before near-duplicates fell.
        pairs: those of which a better judge says otherwise than the rule.
        model: a small model trained on them.
        judge: who judged.
        told: what the judge could not judge, for people; empty where it judged all.
    """

    episodes: tuple[Judged, ...]
    drawn: int
    pairs: tuple[Preferred, ...]
    model: CategoricalReward
    judge: str
    told: str

    @property
    def questions(self) -> int:
        """Number of questions with episodes."""
        return len({(one.memory.history.name, one.question.id) for one in self.episodes})

    @property
    def steps(self) -> int:
        """Number of steps that are scored."""
        return sum(len(one.trajectory.steps) for one in self.episodes)


def reward_data(
    design: Design, tasks: Sequence[Task], services: Services, how: Sampling, reviewer: Model | None, say: Say
) -> RewardData:
    """Draw episodes, judge them, and train the small model.

    Args:
        design: whose policy plays.
        tasks: histories with questions; those without evidence are left out.
        services: of the memories.
        how: how episodes are drawn.
        reviewer: the model that judges; ``None`` for the stricter rules.
        say: hears how far it is.

    Raises:
        UserError: the design has no policy.
        CannotContinueError: no question has evidence, or the model judged no episode.
        OutOfBudgetError: as :meth:`Model.complete`.
    """
    judge: RewardJudge = StrictJudge() if reviewer is None else GenerativeReward(reviewer)
    episodes: list[Judged] = []
    drawn = 0
    for task in tasks:
        say(task.name)
        found = sampled(design, task, services, how)
        episodes += found.episodes
        drawn += found.drawn
    if not episodes:
        raise CannotContinueError("no question has evidence in these histories, so that no episode can be judged")
    say(f"{len(episodes):,} episodes are judged")
    pairs = preferences(episodes, judge)
    if isinstance(judge, GenerativeReward) and judge.failures.total() == judge.asked:
        raise CannotContinueError(f"nothing was judged: {judge.told()}")
    model = _trained(episodes, pairs, second=reviewer is not None)
    return RewardData(tuple(episodes), drawn, pairs, model, judge.fingerprint, judge.told())


def _trained(episodes: Sequence[Judged], pairs: Sequence[Preferred], *, second: bool) -> CategoricalReward:
    """The small model after the first stage, and after the second where a model judged and there are pairs.

    The stricter rules teach it nothing that the rule does not: see docs/results.md.
    """
    measured: dict[int, StepFeatures] = {}

    def steps(one: Judged) -> Steps:
        return measured.setdefault(id(one.memory), StepFeatures(one.memory)).of(one.trajectory)

    first = train_sft([Example(steps(one), rule_judgement(one)) for one in episodes])
    if not second or not pairs:
        return first
    return train_dpo(first, [Pair(steps(pair.judged), pair.chosen, pair.rejected) for pair in pairs])


def check_folder(folder: Path, *, parquet: bool = False) -> None:
    """Find out before the work whether a folder may take the files; nothing is made yet.

    Args:
        folder: gets the files.
        parquet: whether the examples are wanted as verl reads them, too.

    Raises:
        UserError: it holds one of them already, or is no folder; pyarrow is needed and not installed.
        CannotContinueError: it cannot be made, or not be written to.
    """
    if parquet:
        need("pyarrow")
    check_makable(folder)
    for name in (*FILES, *([PARQUET] if parquet else [])):
        if (folder / name).exists():
            raise UserError(f"{folder / name}: exists already and is not overwritten; name another folder")


def write_reward_data(data: RewardData, folder: Path, *, parquet: bool = False) -> None:
    """Write the files into a folder, which is made where it is not there.

    Args:
        data: what is written.
        folder: gets the files.
        parquet: whether to write the examples as verl reads them, too.

    Raises:
        CannotContinueError: the disk is full, or may not be written to.
    """
    make_folder(folder)
    texts = (
        lines(sft_row(one) for one in data.episodes),
        lines(preference_row(pair) for pair in data.pairs),
        lines(rollout_rows(data.episodes)),
        reward_text(data.model),
    )
    for name, text in zip(FILES, texts, strict=True):
        write_result(folder / name, text)
    if parquet:
        write_bytes(folder / PARQUET, parquet_of([conversation_row(one) for one in data.episodes]))
