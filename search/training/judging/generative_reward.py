"""The reward model as a language model: it reads a whole episode with its gold evidence and scores every step.

AiO-Mem (Wang et al. 2026, section 3.4). A reply counts only whole: a step left out, added, out of order, of another
type, or with a level that its score does not lie in, and the episode has no judgement. It is then counted as a failure
and told, never taken for a score of nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from designsearch.prompts.load import prompt
from designsearch.runtime.models.base import Model
from designsearch.runtime.models.requests import Reply
from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.judging.opinions import Opinion
from designsearch.search.training.judging.quality import StepScore, level_of
from designsearch.search.training.judging.reward_request import PROMPT, reward_request


@dataclass
class GenerativeReward:
    """Judges episodes by a language model.

    Attributes:
        model: who judges.
        asked: episodes so far.
        failures: episodes without a judgement so far, by what went wrong.
    """

    model: Model
    asked: int = 0
    failures: Counter[str] = field(default_factory=Counter)

    @property
    def fingerprint(self) -> str:
        """Of model and prompt."""
        return f"{self.model.fingerprint} {prompt(PROMPT).identity}"

    def judge(self, episodes: Sequence[Judged]) -> list[Opinion]:
        """See :class:`~designsearch.search.training.judging.opinions.RewardJudge`; all are asked for together.

        Raises:
            OutOfBudgetError, CannotContinueError: as :meth:`Model.complete`.
        """
        if not episodes:
            return []
        replies = self.model.complete([reward_request(one) for one in episodes])
        opinions = [_opinion(one, reply) for one, reply in zip(episodes, replies, strict=True)]
        self.asked += len(opinions)
        self.failures.update(opinion.failure.partition(":")[0] for opinion in opinions if not opinion.ok)
        return opinions

    def told(self) -> str:
        """A line about the episodes without a judgement, for people; empty where there are none."""
        if not self.failures:
            return ""
        reasons = ", ".join(f"{count} {reason}" for reason, count in self.failures.most_common())
        return f"{self.failures.total()} of {self.asked} episodes have no judgement of the model: {reasons}"


def _opinion(judged: Judged, reply: Reply) -> Opinion:
    if not reply.ok:
        return Opinion(failure=reply.why)
    wrong = _wrong(judged, reply.value["step_scores"])
    if wrong:
        return Opinion(failure=f"invalid: {wrong}")
    return Opinion(tuple(StepScore(**entry) for entry in reply.value["step_scores"]))


def _wrong(judged: Judged, entries: Sequence[Mapping[str, Any]]) -> str:
    """What is wrong with the scores of a reply; empty where nothing is."""
    steps = judged.trajectory.steps
    if len(entries) != len(steps):
        return f"{len(entries)} steps are scored, not {len(steps)}"
    for index, (taken, entry) in enumerate(zip(steps, entries, strict=True), 1):
        if entry["step_index"] != index:
            return f"step {entry['step_index']} stands where step {index} belongs"
        if entry["step_type"] != taken.action.type:
            return f"step {index} is called {entry['step_type']}, and is {taken.action.type}"
        level = level_of(entry["score"])
        if entry["quality_level"] != level:
            return f"step {index} is called {entry['quality_level']}, and its score of {entry['score']} is {level}"
    return ""
