"""Memory and time that training a language model takes, worked out and not measured."""

from __future__ import annotations

from dataclasses import dataclass

from designsearch.search.training.lora.architecture import ADAM, HALF, Architecture
from designsearch.search.training.lora.workload import Device, Episode, Reached

REACHED = Reached()


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes on one device.

    Attributes:
        weights: of the frozen model.
        adapters: with gradients and Adam's moments.
        cache: keys and values of the replies that are drawn together.
        activations: of the backward pass.
    """

    weights: int
    adapters: int
    cache: int
    activations: int

    @property
    def peak(self) -> int:
        """Drawing and learning take turns, so that the larger of the two counts."""
        return self.weights + self.adapters + max(self.cache, self.activations)


def policy_memory(model: Architecture, rank: int, episode: Episode, at_once: int, tokens_at_once: int) -> Memory:
    """Memory of a policy in training.

    Args:
        model: its shape.
        rank: of its adapters.
        episode: the tokens of one.
        at_once: replies drawn together.
        tokens_at_once: tokens of a parcel in the backward pass; a longer sequence stands alone.
    """
    parcel = max(tokens_at_once, episode.longest)
    said = max(1, parcel // episode.longest) * (episode.extracted + 1)
    return Memory(
        model.parameters * HALF,
        model.lora(rank) * ADAM,
        at_once * episode.longest * model.cache,
        model.activations(parcel, said),
    )


def reward_memory(model: Architecture, rank: int, episode: Episode, replies: int) -> Memory:
    """Memory of a reward model in training, a few whole reviews at a time.

    Args:
        model: its shape.
        rank: of its adapters.
        episode: the tokens of one.
        replies: reviews computed together: 1 for SFT, 2 for a pair of DPO.
    """
    said = episode.steps * episode.judged
    length = episode.review + said
    return Memory(
        model.parameters * HALF,
        model.lora(rank) * ADAM,
        length * model.cache,
        model.activations(replies * length, replies * said),
    )


@dataclass(frozen=True, slots=True)
class Seconds:
    """Time of one update.

    Attributes:
        reading: of the policy's prompts.
        writing: of its replies.
        judging: by the reward model.
        learning: forward, forward again and backward.
    """

    reading: float
    writing: float
    judging: float
    learning: float

    @property
    def total(self) -> float:
        """One after the other."""
        return self.reading + self.writing + self.judging + self.learning


@dataclass(frozen=True, slots=True)
class Work:
    """The episodes of one update.

    Attributes:
        episode: the tokens of one.
        episodes: questions times episodes a question.
        replies: replies of the policy that are drawn together on a device.
        reviews: replies of the reward model, likewise.
    """

    episode: Episode
    episodes: int
    replies: int
    reviews: int


def update_seconds(
    policy: Architecture, judge: Architecture, work: Work, device: Device, reached: Reached = REACHED
) -> Seconds:
    """Time of one update with all its episodes, shared out evenly among the devices.

    Args:
        policy: shape of the policy.
        judge: shape of the reward model.
        work: the episodes of the update.
        device: what computes.
        reached: shares of its peaks.
    """
    episode, share = work.episode, work.episodes / device.count
    mean = episode.prompts / episode.steps
    read = policy.forward(episode.prompts, mean / 2)
    reviewed = judge.forward(episode.review, episode.review / 2)
    learnt = 3 * policy.forward(episode.prompts + episode.said, (mean + episode.said / episode.steps) / 2)
    seconds = 1 / (device.operations * reached.reading)
    judged = episode.steps * episode.judged
    return Seconds(
        share * read * seconds,
        _writing(policy, share, episode.said, mean, work.replies, device, reached),
        share * reviewed * seconds + _writing(judge, share, judged, episode.review, work.reviews, device, reached),
        share * learnt / (device.operations * reached.training),
    )


def _writing(
    model: Architecture, replies: float, tokens: float, context: float, at_once: int, device: Device, reached: Reached
) -> float:
    """Each token of a batch takes all weights and all keys and values through the memory once."""
    together = min(at_once, replies)
    moved = model.parameters * HALF + together * context * model.cache
    return replies / together * tokens * moved / (device.bandwidth * reached.writing)


def stage_seconds(
    judge: Architecture, episode: Episode, reviews: float, forwards: int, device: Device, reached: Reached = REACHED
) -> float:
    """Time of a stage of the reward model, shared out evenly among the devices.

    Args:
        judge: its shape.
        episode: the tokens of one.
        reviews: seen in all: examples times epochs, two a pair.
        forwards: what each costs, in forward passes: 3 for SFT, and 1 more of the reference for DPO.
        device: what computes.
        reached: shares of its peaks.
    """
    length = episode.review + episode.steps * episode.judged
    operations = reviews * forwards * judge.forward(length, length / 2)
    return operations / (device.operations * device.count * reached.training)
