"""Training of a policy that is a language model: episodes, rewards, updates, and the checkpoint that is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from designsearch.dsl.problems import UserError
from designsearch.search.training.judging.episode_rewards import episode_rewards
from designsearch.search.training.judging.figures import episode_figures, held_out_figures
from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.judging.opinions import RewardJudge
from designsearch.search.training.judging.trajectory_reward import TrajectoryReward
from designsearch.search.training.lora.adapters import learning
from designsearch.search.training.lora.chat import Chat
from designsearch.search.training.lora.config import OverlongShape, TrainingShape
from designsearch.search.training.lora.ground import Ground
from designsearch.search.training.lora.keeping import Keeper
from designsearch.search.training.lora.policy import LoraPolicy
from designsearch.search.training.lora.policy_update import update
from designsearch.search.training.lora.speaker import Speaker
from designsearch.search.training.lora.utterances import Played
from designsearch.search.training.objectives.overlong import overlong_penalty


def train_policy(
    model: Any,
    chat: Chat,
    shape: TrainingShape,
    grounds: Sequence[Ground],
    held_out: Sequence[Ground],
    folder: Path,
    judge: RewardJudge | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Path:
    """Train adapters by PA-DAPO on the episodes that they play themselves.

    Args:
        model: with adapters.
        chat: its chat template.
        shape: the settings.
        grounds: where it learns.
        held_out: other questions. The checkpoint with the best mean recall of evidence on them is kept, never the one
            with the best reward: there are cheap rewards that find nothing.
        folder: gets ``best/``, ``last/`` (with the optimiser's state) and ``curve.jsonl``.
        judge: who rewards steps in place of the rule; episodes that it cannot judge are left out.
        say: gets a line an update.

    Returns:
        The folder of the best checkpoint.

    Raises:
        UserError: no question with evidence to learn from, or none held out.
    """
    if not sum(map(len, grounds)) or not sum(map(len, held_out)):
        raise UserError("training needs questions with evidence to learn from, and others held out")
    optimiser = torch.optim.AdamW(learning(model), shape.update.rate, weight_decay=0.0)
    actor, reader = (_speaker(model, chat, shape, heat) for heat in (shape.rollouts.temperature, 0.0))
    keeper = Keeper(folder, model, say)
    keeper.looked(0, evaluate(held_out, reader))
    batches = _batches(grounds, shape)
    for number, batch in enumerate(batches, 1):
        groups, figures = _play(grounds, batch, actor, shape, judge)
        moved = update(model, optimiser, groups, shape.update, shape.rollouts.temperature)
        keeper.updated(number, figures | asdict(moved))
        if number % shape.evaluate_every == 0 or number == len(batches):
            keeper.looked(number, evaluate(held_out, reader))
    keeper.ended(len(batches), optimiser)
    if judge is not None and judge.told():
        say(judge.told())
    return keeper.best


def evaluate(grounds: Sequence[Ground], reader: Speaker) -> dict[str, Any]:
    """Figures of one episode of each question, the likeliest tokens taken; rewards are the rule's."""
    episodes = [
        judged
        for ground in grounds
        if len(ground)
        for (judged,) in ground.episodes(range(len(ground)), 1, lambda world: LoraPolicy(world, reader))[0]
    ]
    return held_out_figures(episodes)


def _play(
    grounds: Sequence[Ground],
    batch: Sequence[tuple[int, int]],
    actor: Speaker,
    shape: TrainingShape,
    judge: RewardJudge | None,
) -> tuple[list[list[Played]], dict[str, Any]]:
    """The groups of a batch of questions, and the figures of their episodes."""
    groups: list[list[Played]] = []
    seen: list[tuple[Judged, TrajectoryReward]] = []
    times = shape.rollouts.episodes
    for place in sorted({ground for ground, _ in batch}):
        rows = [row for ground, row in batch if ground == place]
        episodes, policy = grounds[place].episodes(rows, times, lambda world: LoraPolicy(world, actor))
        flat = [one for group in episodes for one in group]
        worth = episode_rewards(flat, judge)
        played = [
            (i // times, policy.played(i, one.trajectory, reward.value))
            for i, (one, reward) in enumerate(zip(flat, worth, strict=True))
            if reward is not None
        ]
        groups += [_punished([one for of, one in played if of == n], shape.overlong) for n in range(len(rows))]
        seen += [(one, reward) for one, reward in zip(flat, worth, strict=True) if reward is not None]
    figures = episode_figures([one for one, _ in seen], [reward for _, reward in seen]) if seen else {}
    return [group for group in groups if group], figures


def _punished(group: list[Played], overlong: OverlongShape | None) -> list[Played]:
    if overlong is None or not group:
        return group
    off = overlong_penalty([one.tokens for one in group], overlong.longest, overlong.buffer)
    return [Played(one.reward + less, one.turns) for one, less in zip(group, off.tolist(), strict=True)]


def _batches(grounds: Sequence[Ground], shape: TrainingShape) -> list[list[tuple[int, int]]]:
    """The questions of each update as (ground, row), each epoch in an order of its own."""
    chance = np.random.default_rng(shape.seed)
    every = [(place, row) for place, ground in enumerate(grounds) for row in range(len(ground))]
    size = shape.rollouts.questions
    orders = [chance.permutation(len(every)).tolist() for _ in range(shape.epochs)]
    return [[every[i] for i in order[at : at + size]] for order in orders for at in range(0, len(order), size)]


def _speaker(model: Any, chat: Chat, shape: TrainingShape, temperature: float) -> Speaker:
    return Speaker(
        model,
        chat,
        shape.model,
        seed=shape.seed,
        temperature=temperature,
        reply_tokens=shape.rollouts.reply_tokens,
        at_once=shape.rollouts.at_once,
    )
