"""One episode at a time for trainers of other libraries: they act, this keeps the state and says what it earned."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from designsearch.dsl.problems import UserError
from designsearch.runtime.episodes.states import Action, ActionType, Decision, State, Stop, Trajectory
from designsearch.runtime.policies.rollout import Episodes, World
from designsearch.search.training.judging.rule_rewards import rule_rewards
from designsearch.search.training.judging.step_facts import facts_of
from designsearch.search.training.judging.trajectory_reward import HIGHEST, LOWEST, trajectory_reward


class Episode:
    """The question that is being worked on.

    Args:
        world: the questions, the memory and the inner cascade.
        gold: for each question the rows of its evidence's records; empty where it has none.

    Raises:
        UserError: the numbers of questions and of evidence differ.
    """

    def __init__(self, world: World, gold: Sequence[Collection[int]]) -> None:
        if len(gold) != len(world):
            raise UserError(f"there are {len(world)} questions and evidence for {len(gold)}: give one set of rows each")
        self.world = world
        self._gold = [frozenset(rows) for rows in gold]
        self._episodes = Episodes(world)
        self._row = 0

    @property
    def state(self) -> State:
        """Where it stands."""
        return self._episodes.states[self._row]

    @property
    def trajectory(self) -> Trajectory:
        """What was done so far."""
        return self._episodes.trajectory(self._row)

    @property
    def recall(self) -> float:
        """Share of the question's evidence that the notes cite; 1 where it has none."""
        gold = self._gold[self._row]
        cited = {one.record for note in self.state.notes for one in note.cited}
        return len(gold & cited) / len(gold) if gold else 1.0

    def start(self, row: int) -> State:
        """Begin with a question.

        Raises:
            IndexError: there is no such question.
        """
        self._episodes.restart(row)
        self._row = row
        return self.state

    def act(self, action: Action) -> float:
        """Take an action; what it earned by the rule, in 0..1.

        Raises:
            MaskedActionError: the state does not allow it.
        """
        self._episodes.advance([self._row], [Decision(action)])
        return (self.scores()[-1] - LOWEST) / (HIGHEST - LOWEST)

    def end(self, why: str) -> None:
        """End it by force where it has not ended: whoever acts gave up."""
        if not self.state.done:
            self.act(Stop(forced=why))

    def scores(self) -> list[int]:
        """The rule's reward of each step so far, 1..100."""
        return [score for _, score in self._rewards()]

    def reward(self) -> float:
        """The reward of the whole episode so far, balanced over its types of action, in 0..1.

        Raises:
            ValueError: nothing was done yet.
        """
        return trajectory_reward(self._rewards()).value

    def _rewards(self) -> Sequence[tuple[ActionType, int]]:
        return rule_rewards(facts_of(self.trajectory, self._gold[self._row], self._records_of))

    def _records_of(self, unit: int) -> list[int]:
        memory = self.world.memory
        return [memory.history.row[record] for record in memory.source_of(unit)[1]]
