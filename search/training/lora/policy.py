"""The policy ``llm`` with its model in this process, so that it can learn from the tokens of its episodes."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.runtime.episodes.states import Choice, Decision, State, Stop, Trajectory
from designsearch.runtime.policies.consultation import Consultation
from designsearch.runtime.policies.llm import Llm
from designsearch.runtime.policies.rollout import World
from designsearch.search.training.lora.speaker import Speaker
from designsearch.search.training.lora.utterances import Played, Turn, Utterance


class LoraPolicy(Llm):
    """Decides as :class:`Llm` does, by the same prompts and tools, and keeps what its model said.

    Args:
        world: what it decides for; one policy is made for each rollout.
        speaker: the model.
    """

    def __init__(self, world: World, speaker: Speaker) -> None:
        super().__init__(world)
        self._speaker = speaker
        self._said: dict[int, list[tuple[Utterance, ...]]] = {}

    @property
    def fingerprint(self) -> str:
        """Of the prompts, what it is offered, and the weights as they are now; the study's helper is never asked."""
        return f"{super().fingerprint} {self._speaker.fingerprint}"

    def act(self, states: Sequence[State], rows: Sequence[int]) -> list[Decision]:
        """The next action of each episode, with the tokens that led to it; those of refused replies among them."""
        made = [self._settled(state) or self._consultation(state, row) for state, row in zip(states, rows, strict=True)]
        said: list[list[Utterance]] = [[] for _ in made]
        asked = [(i, one) for i, one in enumerate(made) if isinstance(one, Consultation)]
        while asked:
            spoken = self._speaker.speak([one.request() for _, one in asked])
            for (i, one), (reply, utterance) in zip(asked, spoken, strict=True):
                one.take(reply)
                said[i].append(utterance)
            asked = [(i, one) for i, one in asked if one.decision is None]
        for row, own in zip(rows, said, strict=True):
            self._said.setdefault(row, []).append(tuple(own))
        return [_decision(one, own) for one, own in zip(made, said, strict=True)]

    def played(self, row: int, episode: Trajectory, reward: float) -> Played:
        """An episode of the rollout as the objective sees it.

        Args:
            row: its position in the world's batch.
            episode: what it came to.
            reward: of the whole of it.
        """
        turns = [
            Turn(utterance, not (isinstance(step.action, Stop) and step.action.forced))
            for step, own in zip(episode.steps, self._said[row], strict=True)
            for utterance in own
        ]
        return Played(reward, tuple(turns))


def _decision(made: Decision | Consultation, said: Sequence[Utterance]) -> Decision:
    decision = made if isinstance(made, Decision) else made.decision
    assert decision is not None
    choices = tuple(Choice(token, logp) for own in said for token, logp in zip(own.said, own.logps, strict=True))
    return Decision(decision.action, choices, decision.tokens)
