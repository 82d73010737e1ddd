"""The table of memory and time of a configuration, for docs/training.md."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from designsearch.dsl.problems import UserError
from designsearch.search.training.lora.architecture import GIB, QWEN3_4B, QWEN3_8B, Architecture
from designsearch.search.training.lora.config import RewardShape, TrainingFile, TrainingShape
from designsearch.search.training.lora.footprint import (
    Work,
    policy_memory,
    reward_memory,
    stage_seconds,
    update_seconds,
)
from designsearch.search.training.lora.workload import Device, Episode

KNOWN = {"Qwen/Qwen3-4B": QWEN3_4B, "Qwen/Qwen3-8B": QWEN3_8B}

DEVICES = (
    Device("one card of 80 GiB", 1, 80 * GIB, 312e12, 2.0e12),
    Device("eight cards of 40 GiB", 8, 40 * GIB, 155e12, 0.77e12),
)
"""As an NVIDIA A100 of 80 GB is specified; and the node that AiO-Mem names, with the figures of an A6000."""

EPISODES = {"typical": Episode(searches=3, observation=4000), "at its limits": Episode(searches=7, observation=10_240)}

USABLE = 0.92
"""Share of a card's memory that is planned with."""

EXAMPLES, PAIRS, QUESTIONS = 1248, 358, 150
"""Judged episodes, preference pairs and questions that AiO-Mem reports (appendix C.2)."""


@dataclass(frozen=True)
class Case:
    """A column of the table.

    Attributes:
        device: what computes.
        named: which episodes.
        episode: their tokens.
        shape: the configuration.
        reward: its reward model.
    """

    device: Device
    named: str
    episode: Episode
    shape: TrainingShape
    reward: RewardShape

    @property
    def policy(self) -> Architecture:
        """The shape of the policy."""
        return KNOWN[self.shape.model]

    @property
    def judge(self) -> Architecture:
        """The shape of the reward model."""
        return KNOWN[self.reward.model]

    @property
    def standing(self) -> int:
        """Bytes that stay on each card during an update: both models and what learns."""
        own = policy_memory(self.policy, self.shape.lora.rank, self.episode, 1, 1)
        return own.weights + own.adapters + 2 * self.judge.parameters + 4 * self.judge.lora(self.reward.lora.rank)

    @property
    def learning(self) -> int:
        """Bytes of the backward pass of an update."""
        return policy_memory(
            self.policy, self.shape.lora.rank, self.episode, 1, self.shape.update.tokens_at_once
        ).activations

    @property
    def replies(self) -> int:
        """Replies of the policy that are drawn together."""
        return self._together(self.policy, self.episode.longest, self.shape.rollouts.at_once)

    @property
    def reviews(self) -> int:
        """Reviews of the reward model that are drawn together."""
        return self._together(self.judge, self.episode.review, self.reward.at_once)

    def _together(self, model: Architecture, tokens: int, most: int) -> int:
        """As many as fit beside what stays, and not above what is configured; 0 where not even one does."""
        room = self.device.memory * USABLE - self.standing
        return max(0, min(most, int(room / (tokens * model.cache))))

    @property
    def peak(self) -> int:
        """Bytes of an update on each card."""
        drawn = max(self.replies, 1) * self.episode.longest * self.policy.cache
        judged = max(self.reviews, 1) * self.episode.review * self.judge.cache
        return self.standing + max(drawn, judged, self.learning)

    def stage(self, replies: int) -> int:
        """Bytes of a stage of the reward model on each card."""
        return reward_memory(self.judge, self.reward.lora.rank, self.episode, replies).peak

    @property
    def episodes(self) -> int:
        """Episodes of an update."""
        return self.shape.rollouts.episodes * self.shape.rollouts.questions

    @property
    def updates(self) -> int:
        """Updates of the whole run."""
        return -(-QUESTIONS // self.shape.rollouts.questions) * self.shape.epochs

    @property
    def seconds(self) -> tuple[float, float, float, float]:
        """Reading, writing, judging and learning of an update."""
        work = Work(self.episode, self.episodes, max(1, self.replies), max(1, self.reviews))
        found = update_seconds(self.policy, self.judge, work, self.device)
        return found.reading, found.writing, found.judging, found.learning

    def stage_hours(self, reviews: float, forwards: int) -> float:
        """Hours of a stage of the reward model."""
        return stage_seconds(self.judge, self.episode, reviews, forwards, self.device) / 3600


def _review(case: Case) -> str:
    tokens, most = case.episode.review, case.judge.positions
    return f"{tokens:,}" if tokens <= most else f"{tokens:,}, and it reads {most:,}"


def _gib(amount: float) -> str:
    return f"{amount / GIB:.1f} GiB"


def _fitting(amount: float, device: Device) -> str:
    return _gib(amount) if amount <= device.memory * USABLE else f"does not fit: {_gib(amount)}"


def _millions(tokens: float) -> str:
    return f"{tokens / 1e6:.2f} M"


ROWS: tuple[tuple[str, Callable[[Case], str]], ...] = (
    ("policy: frozen weights", lambda c: _gib(2 * c.policy.parameters)),
    ("policy: adapters, gradients, Adam", lambda c: _gib(16 * c.policy.lora(c.shape.lora.rank))),
    ("reward model beside it", lambda c: _gib(2 * c.judge.parameters + 4 * c.judge.lora(c.reward.lora.rank))),
    ("keys and values of one reply", lambda c: _gib(c.episode.longest * c.policy.cache)),
    ("keys and values of one review", lambda c: _gib(c.episode.review * c.judge.cache)),
    ("replies, reviews drawn together", lambda c: f"{c.replies}, {c.reviews}"),
    ("activations of a backward pass", lambda c: _gib(c.learning)),
    ("**peak of an update**", lambda c: _fitting(c.peak, c.device)),
    ("**peak of SFT** of the reward model", lambda c: _fitting(c.stage(1), c.device)),
    ("**peak of DPO** of the reward model", lambda c: _fitting(c.stage(2), c.device)),
    ("tokens of a review", _review),
    ("tokens that the policy reads in an update", lambda c: _millions(c.episodes * c.episode.prompts)),
    ("tokens that it writes in an update", lambda c: _millions(c.episodes * c.episode.said)),
    ("reading, writing, judging, learning", lambda c: ", ".join(f"{part / 60:.1f}" for part in c.seconds) + " min"),
    ("**an update**", lambda c: f"{sum(c.seconds) / 60:.0f} min"),
    ("**all updates**", lambda c: f"{c.updates * sum(c.seconds) / 3600:.1f} h"),
    ("**SFT**", lambda c: f"{c.stage_hours(EXAMPLES * c.reward.sft.epochs, 3):.1f} h"),
    ("**DPO**", lambda c: f"{c.stage_hours(2 * PAIRS * c.reward.dpo.epochs, 4):.1f} h"),
)


def footprint_table(config: TrainingFile) -> str:
    """The table as Markdown: a column for each device and kind of episode.

    Raises:
        UserError: the configuration has no reward model, or names a model whose shape is not known here.
    """
    shape, reward = config.shape, config.shape.reward
    if reward is None:
        raise UserError(f"{config.file}: reward: is missing, and the table counts both models")
    unknown = [name for name in (shape.model, reward.model) if name not in KNOWN]
    if unknown:
        raise UserError(f"{config.file}: the shape of {unknown[0]} is not known; those known are {', '.join(KNOWN)}")
    cases = [Case(device, named, episode, shape, reward) for device in DEVICES for named, episode in EPISODES.items()]
    head = ["", *(f"{case.device.name}, {case.named}" for case in cases)]
    lines = [head, ["---", *["---:"] * len(cases)], *([name, *map(show, cases)] for name, show in ROWS)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
