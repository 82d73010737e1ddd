"""How the reward of an episode agrees with the evidence that its notes hold, by who gives it.

Episodes of the policy ``rules``, as it is and with decisions replaced at random so that quality varies, are drawn for
the official questions of each RHELM user. Their reward (the mean over types of action of normalised step scores) is
correlated with evidence recall and precision of the final notes, as in table 5 of AiO-Mem (Wang et al. 2026). The rule
and the stricter judge see the gold evidence. The categorical model never does when it scores: it is trained on the
other users' episodes, so that every user was unseen. Columns "same question" are Spearman's correlation among the
episodes of one question, averaged over questions: that is what a policy would learn from.

    python benchmarks/reward_model.py                    # the table
    python benchmarks/reward_model.py --questions 10     # a quick look

The data set is named by DESIGNSEARCH_DATA.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from statistics import mean

import numpy as np
from scipy.stats import pearsonr, spearmanr

from designsearch.inputs import open_design, open_histories, open_tasks
from designsearch.runtime.cache import Cache, default_folder
from designsearch.runtime.episodes.states import ActionType
from designsearch.runtime.records import FloatArray
from designsearch.runtime.services import Services
from designsearch.search.evaluate import Task
from designsearch.search.training.data.episodes import Sampling, sampled
from designsearch.search.training.data.pairs import preferences, rule_judgement
from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.judging.quality import Judgement, scored
from designsearch.search.training.judging.strict_rewards import StrictJudge
from designsearch.search.training.judging.trajectory_reward import trajectory_reward
from designsearch.search.training.reward_model.categorical_reward import CategoricalReward, Steps
from designsearch.search.training.reward_model.reward_training import Example, Pair, train_dpo, train_sft
from designsearch.search.training.reward_model.step_features import StepFeatures, feature_names

DESIGN = """
version: 1
name: rules
storage:
  units: {op: turns, roles: [user]}
retrieval:
  - op: policy
    policy: rules
    search:
      - {op: bm25, k: 30}
      - {op: dense, k: 30}
      - {op: rrf}
      - {op: take, k: 10}
"""

UNTRAINED = 20
"""Draws of weights over which the untrained model is averaged."""

FOLDS = 3

STAGES = ("trained, SFT", "trained, SFT, then DPO alone", "trained, SFT, then DPO and chosen likelihood")


@dataclass(frozen=True)
class Episode:
    """An episode with what is needed to train on it and to compare with."""

    user: str
    question: str
    steps: Steps
    rule: Judgement
    strict: Judgement
    differs: bool
    recall: float
    precision: float

    @property
    def covered(self) -> float:
        """Share of the question's telling words that the final notes hold: a guess without gold or training."""
        kind, features = self.steps[-1]
        return float(features[feature_names(kind).index("covered")])


@dataclass
class Row:
    """The rewards that one way of scoring gives, episode by episode."""

    name: str
    rewards: list[float] = field(default_factory=list)


def episodes_of(task: Task, services: Services, variants: int, seed: int) -> list[Episode]:
    """Different episodes of one user's questions."""
    found = sampled(open_design(DESIGN), task, services, Sampling(variants=variants, seed=seed)).episodes
    if not found:
        return []
    measured = StepFeatures(found[0].memory)
    differing = {id(pair.judged) for pair in preferences(found, StrictJudge())}
    strict = [opinion.steps for opinion in StrictJudge().judge(found)]
    return [
        _episode(task.name, one, measured, own, id(one) in differing) for one, own in zip(found, strict, strict=True)
    ]


def _episode(user: str, one: Judged, measured: StepFeatures, strict: Judgement, differs: bool) -> Episode:
    steps = measured.of(one.trajectory)
    return Episode(user, one.question.id, steps, rule_judgement(one), strict, differs, one.recall, one.precision)


def by_model(model: CategoricalReward, one: Episode) -> float:
    """The reward of an episode by a trained model."""
    return reward(model.scores(one.steps))


def reward(scores: Sequence[tuple[ActionType, float]]) -> float:
    """The reward of an episode."""
    return trajectory_reward(scores).value


def trained(seen: Sequence[Episode]) -> tuple[CategoricalReward, ...]:
    """The model after the first stage, and after the second one by DPO alone and as it is by default."""
    first = train_sft([Example(one.steps, one.rule) for one in seen])
    pairs = [Pair(one.steps, one.strict, one.rule) for one in seen if one.differs]
    return first, train_dpo(first, pairs, hold=0.0), train_dpo(first, pairs)


def scored_unseen(episodes: Sequence[Episode], users: Sequence[str]) -> tuple[list[Episode], list[Row]]:
    """All episodes, fold after fold, each scored by models that have not seen its user."""
    order: list[Episode] = []
    rows = [Row(name) for name in ("rule (sees gold)", "stricter judge (sees gold)", "question's words noted", *STAGES)]
    for fold in range(FOLDS):
        unseen = users[fold::FOLDS]
        models = trained([one for one in episodes if one.user not in unseen])
        held = [one for one in episodes if one.user in unseen]
        order += held
        ways: list[Callable[[Episode], float]] = [
            lambda one: reward(scored(one.rule)),
            lambda one: reward(scored(one.strict)),
            lambda one: one.covered,
            *(partial(by_model, model) for model in models),
        ]
        for row, way in zip(rows, ways, strict=True):
            row.rewards += [way(one) for one in held]
    return order, rows


def figures(rewards: Sequence[float], episodes: Sequence[Episode]) -> FloatArray:
    """Pearson and Spearman with recall, the same with precision, and Spearman among episodes of one question."""
    cells: list[float] = []
    within: list[float] = []
    for measure in ([one.recall for one in episodes], [one.precision for one in episodes]):
        cells += [float(pearsonr(rewards, measure)[0]), float(spearmanr(rewards, measure)[0])]
        found = []
        keyed = sorted(zip((f"{e.user} {e.question}" for e in episodes), rewards, measure, strict=True))
        for _, own in groupby(keyed, key=lambda entry: entry[0]):
            group = list(own)
            if len({entry[2] for entry in group}) > 1 and len({entry[1] for entry in group}) > 1:
                found.append(float(spearmanr([e[1] for e in group], [e[2] for e in group])[0]))
        within.append(mean(found) if found else float("nan"))
    return np.array([*cells, *within])


def main() -> None:
    """Draw, train and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--questions", type=int, default=50, help="a user, the last ones")
    options.add_argument("--variants", type=int, default=12, help="episodes a question, before near-duplicates fall")
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    warnings.filterwarnings("ignore", message="An input array is constant")
    datasets = open_histories([f"{os.environ['DESIGNSEARCH_DATA']}/rhelm"], "rhelm", ("conversation",))
    tasks, _ = open_tasks(datasets, "official", ("evidence=conversation",))
    services = Services(cache=Cache(default_folder()))
    episodes: list[Episode] = []
    for task in tasks:
        episodes += episodes_of(
            Task(task.dataset, task.questions[-given.questions :]), services, given.variants, given.seed
        )
    order, rows = scored_unseen(episodes, [task.name for task in tasks])
    chance = [CategoricalReward.untrained(seed) for seed in range(UNTRAINED)]
    blind = [figures([reward(model.scores(one.steps)) for one in order], order) for model in chance]
    counts = f"{len(order):,} episodes, {sum(len(one.steps) for one in order):,} steps"
    print(
        f"{counts}, {sum(one.differs for one in order):,} pairs, {len({(o.user, o.question) for o in order})} questions"
    )
    print(f"mean recall {mean(o.recall for o in order):.3f}, mean precision {mean(o.precision for o in order):.3f}\n")
    print("| reward | recall: Pearson | Spearman | precision: Pearson | Spearman | same question: recall | precision |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    table = [(row.name, figures(row.rewards, order)) for row in rows]
    table.insert(3, (f"untrained (mean of {UNTRAINED} draws)", np.mean(blind, axis=0)))
    for name, cells in table:
        print(f"| {name} | " + " | ".join(f"{cell:.3f}" for cell in cells) + " |")


if __name__ == "__main__":
    main()
