"""A reward model that is a language model, from rows of training data to a judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import UserError
from designsearch.runtime.models.requests import Message
from designsearch.search.training.judging.generative_reward import GenerativeReward
from designsearch.search.training.lora.adapters import adapted, load_base, save
from designsearch.search.training.lora.chat import Chat
from designsearch.search.training.lora.config import RewardShape, TrainingFile
from designsearch.search.training.lora.reward_stages import Preferred, train_dpo, train_sft
from designsearch.search.training.lora.speaker import Speaker
from designsearch.search.training.lora.utterances import Utterance


def reward_judge(
    config: TrainingFile,
    examples: Sequence[Mapping[str, Any]],
    preferences: Sequence[Mapping[str, Any]],
    folder: Path,
    say: Callable[[str], None],
) -> GenerativeReward:
    """Load, train and save the reward model of a configuration; see ``train_reward``.

    Raises:
        UserError: there is no block ``reward``, or the model cannot be loaded.
    """
    shape = config.shape.reward
    if shape is None:
        raise UserError(f"{config.file}: reward: is missing, so there is no reward model to train")
    base, tokenizer = load_base(config.model(shape.model), config.shape.dtype, config.shape.device)
    chat = Chat(tokenizer, config.shape.template)
    model = adapted(base, shape.lora, config.shape.seed)
    train_stages(model, chat, shape, examples, preferences, config.shape.seed, say)
    save(model, folder, {"stage": "dpo" if preferences else "sft"})
    return GenerativeReward(Speaker(model, chat, shape.model, temperature=0.0, at_once=shape.at_once))


def train_stages(
    model: Any,
    chat: Chat,
    shape: RewardShape,
    examples: Sequence[Mapping[str, Any]],
    preferences: Sequence[Mapping[str, Any]],
    seed: int = 0,
    say: Callable[[str], None] = lambda _: None,
) -> tuple[list[float], list[float]]:
    """SFT on the rule's judgements, then DPO with those of a better judge.

    Args:
        model: with adapters.
        chat: its chat template.
        shape: the settings.
        examples: rows with ``prompt`` and ``completion``, each a list of messages.
        preferences: rows with ``prompt``, ``chosen`` and ``rejected``.
        seed: of the order of rows.
        say: gets a line a stage.

    Returns:
        The loss of each step of either stage.
    """
    targets = [_example(chat, row, "completion") for row in examples]
    learnt = train_sft(model, targets, shape.sft, shape.tokens_at_once, seed)
    if learnt:
        say(f"sft: {len(targets)} examples, loss {learnt[0]:.3f} at first and {learnt[-1]:.3f} at last")
    pairs = [Preferred(_example(chat, row, "chosen"), _example(chat, row, "rejected")) for row in preferences]
    aligned = train_dpo(model, pairs, shape.dpo, shape.tokens_at_once, seed)
    if aligned:
        say(f"dpo: {len(pairs)} pairs, loss {aligned[0]:.3f} at first and {aligned[-1]:.3f} at last")
    return learnt, aligned


def _example(chat: Chat, row: Mapping[str, Any], reply: str) -> Utterance:
    messages = [Message(message["role"], message["content"]) for message in row["prompt"]]
    return chat.example(messages, "".join(message["content"] for message in row[reply]))
