"""What ``designsearch policy train`` calls where the configuration says ``policy: llm``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from designsearch.dsl.validate import load_design_file
from designsearch.runtime.operators import load_all
from designsearch.runtime.services import Services
from designsearch.search.evaluate import Task
from designsearch.search.new_folder import check_makable
from designsearch.search.training.extra import need
from designsearch.search.training.judging.opinions import RewardJudge
from designsearch.search.training.lora.config import TrainingFile
from designsearch.search.training.lora.held_out import parted
from designsearch.search.training.policy_stage import policy_of

LIBRARIES = ("torch", "transformers", "peft")


def need_libraries() -> None:
    """Make sure that the libraries are there; nothing is imported.

    Raises:
        UserError: one is missing.
    """
    for library in LIBRARIES:
        need(library)


def train_file(
    config: TrainingFile,
    tasks: Sequence[Task],
    services: Services,
    folder: Path,
    say: Callable[[str], None] = lambda _: None,
) -> Path:
    """Do all that a configuration says: its reward model, where it has one, then its policy.

    Args:
        config: from :func:`~designsearch.search.training.lora.config.read_training`.
        tasks: histories with questions; a quarter of each one's questions is held out.
        services: what a memory needs from outside.
        folder: gets ``reward/``, ``best/``, ``last/`` and ``curve.jsonl``.
        say: gets a line an update.

    Returns:
        The folder of the best checkpoint.

    Raises:
        UserError: libraries or training data are missing, the folder is a file, the design has no policy, a model
            cannot be loaded, or there is nothing to train on.
        CannotContinueError: the folder cannot be made.
    """
    need_libraries()
    check_makable(folder)
    policy_of(load_design_file(config.design, registry=load_all()))  # found out before the reward model is trained
    judge = None
    if config.shape.reward is not None:
        from designsearch.search.training.lora.reward_rows import read_rows

        examples, preferences = read_rows(config)
        judge = train_reward(config, examples, preferences, folder / "reward", say)
    learning, held_out = parted(tasks, config.shape.seed)
    return train_lora(config, learning, held_out, services, folder, judge, say)


def train_lora(
    config: TrainingFile,
    tasks: Sequence[Task],
    held_out: Sequence[Task],
    services: Services,
    folder: Path,
    judge: RewardJudge | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Path:
    """Train the language model of a configuration as the policy of its design.

    Nothing heavy is imported before this is called.

    Args:
        config: from :func:`~designsearch.search.training.lora.config.read_training`.
        tasks: histories with the questions to learn from.
        held_out: histories with other questions, by which the checkpoint is chosen.
        services: what a memory needs from outside.
        folder: gets the checkpoints and the curve.
        judge: who rewards steps in place of the rule, such as a
            :class:`~designsearch.search.training.judging.generative_reward.GenerativeReward`.
        say: gets a line an update.

    Returns:
        The folder of the best checkpoint: LoRA weights that transformers, vLLM and TRL load.

    Raises:
        UserError: libraries are missing, the model cannot be loaded, or there is nothing to train on.
    """
    need_libraries()
    from designsearch.search.training.lora.adapters import adapted, load_base
    from designsearch.search.training.lora.chat import Chat
    from designsearch.search.training.lora.ground import Ground
    from designsearch.search.training.lora.train import train_policy

    shape = config.shape
    design = load_design_file(config.design, registry=load_all())
    grounds, others = ([Ground(design, task, services) for task in part] for part in (tasks, held_out))
    base, tokenizer = load_base(config.model(shape.model), shape.dtype, shape.device)
    chat = Chat(tokenizer, shape.template)
    model = adapted(base, shape.lora, shape.seed)
    return train_policy(model, chat, shape, grounds, others, folder, judge, say)


def train_reward(
    config: TrainingFile,
    examples: Sequence[Mapping[str, Any]],
    preferences: Sequence[Mapping[str, Any]],
    folder: Path,
    say: Callable[[str], None] = lambda _: None,
) -> RewardJudge:
    """Train the reward model of a configuration, in its two stages.

    Args:
        config: with a block ``reward``.
        examples: rows of :func:`~designsearch.search.training.data.pairs.sft_row`.
        preferences: rows of :func:`~designsearch.search.training.data.pairs.preference_row`.
        folder: gets its adapters.
        say: gets a line a stage.

    Returns:
        The judge, for :func:`train_lora`.

    Raises:
        UserError: libraries are missing, or the model cannot be loaded.
    """
    need_libraries()
    from designsearch.search.training.lora.reward import reward_judge

    return reward_judge(config, examples, preferences, folder, say)
