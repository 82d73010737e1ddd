"""A categorical reward model as a judge of episodes: it needs neither a language model nor gold evidence."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.judging.opinions import Opinion
from designsearch.search.training.judging.quality import judgement
from designsearch.search.training.reward_model.categorical_reward import CategoricalReward
from designsearch.search.training.reward_model.reward_file import reward_text
from designsearch.search.training.reward_model.step_features import StepFeatures


@dataclass
class CategoricalJudge:
    """Judges by a model; see :class:`~designsearch.search.training.judging.opinions.RewardJudge`.

    Attributes:
        model: who judges.
    """

    model: CategoricalReward
    _measured: dict[int, StepFeatures] = field(default_factory=dict, repr=False)

    @property
    def fingerprint(self) -> str:
        """Of the weights."""
        return f"categorical {hashlib.blake2b(reward_text(self.model).encode(), digest_size=8).hexdigest()}"

    def judge(self, episodes: Sequence[Judged]) -> list[Opinion]:
        """One opinion an episode; none fails. Scores are rounded half up."""
        return [Opinion(judgement(self.model.scores(self._features(one).of(one.trajectory)))) for one in episodes]

    def told(self) -> str:
        """Nothing: none fails."""
        return ""

    def _features(self, judged: Judged) -> StepFeatures:
        """Those of the episode's memory, which stays alive with them, so that its id is its own."""
        return self._measured.setdefault(id(judged.memory), StepFeatures(judged.memory))
