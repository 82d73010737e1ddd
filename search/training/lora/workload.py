"""What memory and time are worked out from: devices, the shares of their peaks reached, and tokens of episodes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Device:
    """What computes.

    Attributes:
        name: for people.
        count: how many there are; each holds the whole model and takes its share of the questions.
        memory: bytes of one.
        operations: dense half-precision operations a second of one, at its peak.
        bandwidth: bytes a second of its memory, at its peak.
    """

    name: str
    count: int
    memory: int
    operations: float
    bandwidth: float


@dataclass(frozen=True, slots=True)
class Reached:
    """Shares of a device's peak that real programs reach: assumptions.

    Attributes:
        reading: of its operations, in reading prompts.
        training: likewise forward and backward.
        writing: of its bandwidth, in writing token by token.
    """

    reading: float = 0.4
    training: float = 0.35
    writing: float = 0.5


@dataclass(frozen=True, slots=True)
class Episode:
    """The tokens of one episode.

    Attributes:
        searches: number of searches; each is followed by an extraction, and the last decision is to stop.
        observation: tokens of what a search found.
        fixed: tokens of instructions, tools and question in each prompt.
        notes: tokens of all notes at the end; on average half of them are there.
        decided, extracted: tokens that the policy writes to decide and to extract.
        judged: tokens that the reward model writes for a step.
    """

    searches: int
    observation: int
    fixed: int = 900
    notes: int = 600
    decided: int = 80
    extracted: int = 250
    judged: int = 40

    @property
    def steps(self) -> int:
        """Actions: searches, extractions, and the stop."""
        return 2 * self.searches + 1

    @property
    def prompts(self) -> float:
        """Tokens of all prompts: of one that decides before each search and at the end, and of one that extracts."""
        return self.steps * (self.fixed + self.notes / 2) + self.searches * self.observation

    @property
    def said(self) -> int:
        """Tokens that the policy writes."""
        return (self.searches + 1) * self.decided + self.searches * self.extracted

    @property
    def longest(self) -> int:
        """Tokens of the longest prompt with its reply."""
        return self.fixed + self.notes + self.observation + self.extracted

    @property
    def review(self) -> int:
        """Tokens of the reward model's prompt, which shows every observation once."""
        return self.fixed + self.searches * self.observation + self.notes + self.steps * 30
