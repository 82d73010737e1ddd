"""What a language model wrote in an episode, as tokens.

Training looks at the very tokens that were sampled. Their text is never tokenised again: another cut of the same text
has another probability, and the ratio of the two would be noise (the paper's o_{j,k,t} are sampled tokens).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Utterance:
    """One reply of a model.

    Attributes:
        prompt: ids of what it was shown, never empty.
        said: ids that it chose, the one that ends a reply included.
        logps: shape (said,), their natural log-probabilities when they were sampled; empty where nobody sampled them.
        ended: whether it ended its reply itself; False where it was cut.
    """

    prompt: tuple[int, ...]
    said: tuple[int, ...]
    logps: tuple[float, ...] = ()
    ended: bool = True

    def __len__(self) -> int:
        """Tokens in all."""
        return len(self.prompt) + len(self.said)


@dataclass(frozen=True, slots=True)
class Turn:
    """A reply within an episode.

    Attributes:
        utterance: its tokens.
        generated: whether they belong to an action of the policy; False for those that ended in a forced stop, which
            is scored without tokens.
    """

    utterance: Utterance
    generated: bool = True


@dataclass(frozen=True, slots=True)
class Played:
    """An episode as the objective sees it.

    Attributes:
        reward: of the whole episode.
        turns: the replies, in order.
    """

    reward: float
    turns: tuple[Turn, ...]

    @property
    def tokens(self) -> int:
        """Tokens that count in the objective."""
        return sum(len(turn.utterance.said) for turn in self.turns if turn.generated)


def parcels(lengths: Sequence[int], most: int) -> list[list[int]]:
    """Positions of sequences in parcels that are computed together, sequences of like length beside each other.

    Args:
        lengths: tokens of each sequence.
        most: tokens of a parcel, filled up to its longest sequence; a longer sequence stands alone.
    """
    made: list[list[int]] = []
    for position in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if made and (len(made[-1]) + 1) * lengths[position] <= most:
            made[-1].append(position)
        else:
            made.append([position])
    return made
