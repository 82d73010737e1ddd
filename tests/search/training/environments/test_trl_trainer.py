"""A step of TRL's GRPO with a tiny random model: TRL makes environments, calls their tools, takes their rewards."""

from __future__ import annotations

import json
import warnings

import byte_chat
import pytest
from environment_fakes import GOLD, world

from designsearch.search.training.environments.trl_env import dataset_rows, environment_factory
from designsearch.search.training.extra import INSTALL

for library in ("torch", "transformers", "trl", "datasets"):
    pytest.importorskip(library, reason=f"needs {INSTALL}")

NOTE = {"event_id": "E2", "datetime": "", "content": "Cleo has it", "evidence_turns": [1]}

TURNS = [
    [("search_memory_units", {"query": "kayak"})],
    [
        ("add_note", {"event_id": "E2", "datetime": "", "content": "Cleo", "evidence_turns": [1]}),
        ("answer_from_notes", {}),
    ],
    [],
]
"""What the model says in each turn of the rollouts that are scripted."""


@pytest.fixture(scope="module")
def tokenizer():
    return byte_chat.tokenizer()


@pytest.fixture
def trainer(tokenizer, tmp_path):
    from datasets import Dataset
    from transformers import Qwen3ForCausalLM
    from trl import GRPOConfig, GRPOTrainer

    settings = GRPOConfig(
        str(tmp_path),
        per_device_train_batch_size=2,
        num_generations=2,
        max_completion_length=3000,
        max_steps=1,
        report_to=[],
        use_cpu=True,
        bf16=False,
        logging_steps=1,
        save_strategy="no",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return GRPOTrainer(
            Qwen3ForCausalLM(byte_chat.shape(len(tokenizer))),
            args=settings,
            train_dataset=Dataset.from_list(dataset_rows(world())[:1]),
            processing_class=tokenizer,
            environment_factory=environment_factory(world(), GOLD),
        )


def said(tokenizer, calls):
    """The tokens of a turn that makes some calls."""
    written = [json.dumps({"name": name, "arguments": arguments}) for name, arguments in calls]
    text = "\n".join(f"<tool_call>\n{call}\n</tool_call>" for call in written) or "Done."
    return tokenizer.encode(f"{text}<|im_end|>", add_special_tokens=False)


def test_its_tools_are_called_and_its_reward_is_taken(trainer, tokenizer, monkeypatch):
    turns = iter(TURNS)

    def scripted(prompt_ids, *others, **more):
        # one rollout follows the script, the other ends at once, so that their rewards differ
        calls = next(turns)
        replies = [said(tokenizer, calls if row == 0 else []) for row in range(len(prompt_ids))]
        return replies, [[-1.0] * len(reply) for reply in replies]

    monkeypatch.setattr(trainer, "_generate_single_turn", scripted)
    trainer.train()
    first, second = trainer.environments
    assert [step.action.type for step in first._episode.trajectory.steps] == ["search", "add", "stop"]
    assert [step.action.type for step in second._episode.trajectory.steps] == ["stop"]
    logged = trainer.state.log_history[0]
    assert logged["rewards/MemoryEnv/mean"] == pytest.approx((((94 / 99 + 2) / 3) + 0) / 2)
    assert logged["tools/failure_frequency"] == 0
    assert logged["grad_norm"] > 0
