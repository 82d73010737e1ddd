"""What verl's data sets make of the files: what is asked, what is learnt, how rows come together in a batch."""

from __future__ import annotations

import byte_chat
import pytest
from small_episodes import judged, note, search

from designsearch.runtime.episodes.states import Add, Skip, Stop
from designsearch.search.training.data.pairs import conversation_row, lines, rule_judgement
from designsearch.search.training.data.parquet import parquet_of
from designsearch.search.training.data.rollout_rows import rollout_rows
from designsearch.search.training.judging.quality import written

for library in ("verl", "trl", "tensordict", "ray"):
    pytest.importorskip(library, reason="needs pip install verl trl")


@pytest.fixture(scope="module")
def tokenizer():
    return byte_chat.tokenizer()


@pytest.fixture
def episodes(held):
    return [
        judged(held, search("ferry rent", 0, 4), Add(tuple(note(held, unit) for unit in (0, 4))), Stop()),
        judged(held, search("dog", 2), Skip(), Stop(forced="no tokens left")),
    ]


def test_questions_to_train_on(episodes, tokenizer, tmp_path):
    from omegaconf import OmegaConf
    from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn

    file = tmp_path / "rollouts.jsonl"
    file.write_text(lines(rollout_rows(episodes)), encoding="utf-8")
    data = RLHFDataset(str(file), tokenizer, OmegaConf.create({"max_prompt_length": 4096, "cache_dir": str(tmp_path)}))
    assert len(data) == 1
    batch = collate_fn([data[0], data[0]])
    asked = tokenizer.apply_chat_template(batch["raw_prompt"][1], tokenize=False, add_generation_prompt=True)
    assert "When does the ferry to Texel leave" in asked
    assert batch["agent_name"].tolist() == ["designsearch"] * 2
    assert [extra["question_id"] for extra in batch["extra_info"]] == ["q1", "q1"]


@pytest.mark.parametrize("padding", ["no_padding", "right"])
def test_examples_to_learn(episodes, tokenizer, tmp_path, padding):
    from omegaconf import OmegaConf
    from verl.utils.dataset.dataset_utils import SFTTensorCollator
    from verl.utils.dataset.multiturn_sft_dataset import MultiTurnSFTDataset

    file = tmp_path / "sft.parquet"
    file.write_bytes(parquet_of([conversation_row(one) for one in episodes]))
    settings = {"max_length": 8000, "pad_mode": padding, "ignore_input_ids_mismatch": True}
    data = MultiTurnSFTDataset(str(file), tokenizer, OmegaConf.create(settings))
    assert len(data) == 2
    for row, one in zip((data[0], data[1]), episodes, strict=True):
        learnt = tokenizer.decode(row["input_ids"][row["loss_mask"].bool()])
        assert learnt == f"{written(rule_judgement(one))}<|im_end|>\n"
        assert tokenizer.decode(row["input_ids"]).startswith("<|im_start|>system\nYou judge how a search")
    batch = SFTTensorCollator(padding)([data[0], data[1]])
    assert batch["input_ids"].shape[0] == 2
    if padding == "right":
        assert batch["input_ids"].shape == batch["loss_mask"].shape == (2, 8000)
