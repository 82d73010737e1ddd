from dataclasses import replace
from pathlib import Path

import pytest

from designsearch.dsl.problems import UserError
from designsearch.search.training.lora.architecture import HALF, QWEN3_4B, QWEN3_8B, SINGLE, Architecture
from designsearch.search.training.lora.config import read_training
from designsearch.search.training.lora.footprint import (
    Work,
    policy_memory,
    reward_memory,
    stage_seconds,
    update_seconds,
)
from designsearch.search.training.lora.footprint_table import DEVICES, EPISODES, footprint_table
from designsearch.search.training.lora.workload import Reached

ROOT = Path(__file__).parents[4]
FULL = ROOT / "examples" / "training" / "aio-mem.yaml"
ONE, EIGHT = DEVICES
TYPICAL = EPISODES["typical"]


def test_counts_of_the_published_models():
    assert (QWEN3_4B.parameters, QWEN3_8B.parameters) == (4_022_468_096, 8_190_735_360)
    assert (QWEN3_4B.lora(32), QWEN3_8B.lora(32)) == (66_060_288, 87_293_952)
    assert QWEN3_4B.cache == 36 * 2 * 8 * 128 * 2 == 147_456
    assert QWEN3_4B.body == QWEN3_4B.parameters - 151_936 * 2560 - 36 * 2 * (2560 + 128) - 2560


@pytest.mark.parametrize("known", [QWEN3_4B, QWEN3_8B], ids=lambda known: known.name)
def test_counts_are_those_of_the_library(tiny, known):
    import peft
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    known = replace(known, layers=2)
    with torch.device("meta"):
        made = Qwen3ForCausalLM(config(Qwen3Config, known))
        assert sum(weights.numel() for weights in made.parameters()) == known.parameters
        shape = peft.LoraConfig(r=8, target_modules="all-linear", task_type="CAUSAL_LM")
        learning = [weights for weights in peft.get_peft_model(made, shape).parameters() if weights.requires_grad]
    assert sum(weights.numel() for weights in learning) == known.lora(8)


def config(made, known):
    return made(
        hidden_size=known.hidden,
        intermediate_size=known.intermediate,
        num_hidden_layers=known.layers,
        num_attention_heads=known.heads,
        num_key_value_heads=known.key_heads,
        head_dim=known.head,
        vocab_size=known.vocabulary,
        tie_word_embeddings=known.tied,
    )


def test_activations_within_a_layer_are_about_what_torch_keeps(tiny):
    import peft
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    def kept(shape):
        model = Qwen3ForCausalLM(config(Qwen3Config, shape)).to(torch.bfloat16)
        lora = peft.LoraConfig(r=2, target_modules="all-linear", task_type="CAUSAL_LM")
        model = peft.get_peft_model(model, lora).train()
        weights = {each.untyped_storage().data_ptr() for each in model.parameters()}
        held, sizes = [], {}

        def pack(tensor):
            held.append(tensor)
            storage = tensor.untyped_storage()
            if storage.data_ptr() not in weights:
                sizes[storage.data_ptr()] = storage.nbytes()
            return tensor

        with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            model(input_ids=torch.zeros(1, 256, dtype=torch.long), use_cache=False, logits_to_keep=1)
        return sum(sizes.values())

    one = Architecture("small", 1, 80, 304, 8, 2, 16, 50, tied=True, positions=512)
    measured = (kept(replace(one, layers=3)) - kept(one)) / 2 / 256
    counted = one.activations(1, 0) - one.layers * one.hidden * HALF
    assert measured == pytest.approx(counted, rel=0.1)
    assert counted > 4 * one.hidden * SINGLE


def test_memory_of_a_policy_adds_up():
    found = policy_memory(QWEN3_4B, 32, TYPICAL, at_once=16, tokens_at_once=16_384)
    assert TYPICAL.longest == 900 + 600 + 4000 + 250
    assert found.weights == 2 * 4_022_468_096
    assert found.adapters == 16 * 66_060_288
    assert found.cache == 16 * 5750 * 147_456
    assert found.activations == QWEN3_4B.activations(16_384, 2 * 251)
    assert found.peak == found.weights + found.adapters + found.cache
    learning = policy_memory(QWEN3_4B, 32, TYPICAL, at_once=1, tokens_at_once=16_384)
    assert learning.peak == found.weights + found.adapters + found.activations
    alone = policy_memory(QWEN3_4B, 32, TYPICAL, at_once=1, tokens_at_once=1)
    assert alone.activations == QWEN3_4B.activations(5750, 251)


def test_memory_of_a_reward_model_grows_with_what_it_reads():
    assert TYPICAL.review == 900 + 3 * 4000 + 600 + 7 * 30
    one, two = (reward_memory(QWEN3_8B, 32, TYPICAL, replies) for replies in (1, 2))
    assert two.activations == 2 * one.activations
    assert one.peak < two.peak < reward_memory(QWEN3_8B, 32, EPISODES["at its limits"], 2).peak


def test_time_follows_the_work():
    work = Work(TYPICAL, episodes=64, replies=16, reviews=8)
    found = update_seconds(QWEN3_4B, QWEN3_8B, work, ONE)
    assert found.total == found.reading + found.writing + found.judging + found.learning
    tokens, mean = TYPICAL.prompts, TYPICAL.prompts / 7
    assert tokens == 7 * 1200 + 3 * 4000
    operations = 64 * tokens * (2 * QWEN3_4B.body + 4 * 36 * 32 * 128 * mean / 2)
    assert found.reading == pytest.approx(operations / (0.4 * 312e12))
    step = (2 * QWEN3_4B.parameters + 16 * mean * 147_456) / (0.5 * 2.0e12)
    assert found.writing == pytest.approx(4 * (4 * 80 + 3 * 250) * step)
    twice = update_seconds(QWEN3_4B, QWEN3_8B, replace(work, episodes=128), ONE)
    assert twice.total == pytest.approx(2 * found.total)
    shared = update_seconds(QWEN3_4B, QWEN3_8B, work, replace(ONE, count=4))
    assert shared.learning == pytest.approx(found.learning / 4)
    slow = update_seconds(QWEN3_4B, QWEN3_8B, work, ONE, Reached(reading=0.2, training=0.35, writing=0.25))
    assert slow.reading == pytest.approx(2 * found.reading)
    assert slow.writing == pytest.approx(2 * found.writing)
    assert slow.learning == found.learning
    sft, dpo = (stage_seconds(QWEN3_8B, TYPICAL, 100, forwards, ONE) for forwards in (3, 4))
    assert dpo == pytest.approx(sft * 4 / 3)
    assert stage_seconds(QWEN3_8B, TYPICAL, 100, 3, EIGHT) == pytest.approx(sft * 312 / 155 / 8)


def test_the_page_holds_the_table_of_the_full_size_run():
    page = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    assert footprint_table(read_training(FULL)) in page, "python benchmarks/training_footprint.py prints it anew"


def test_what_cannot_be_worked_out(tmp_path):
    path = tmp_path / "t.yaml"
    path.write_text("policy: llm\ndesign: d.yaml\nmodel: other\n")
    with pytest.raises(UserError, match="reward: is missing"):
        footprint_table(read_training(path))
    path.write_text("policy: llm\ndesign: d.yaml\nmodel: other\nreward: {model: Qwen/Qwen3-8B}\n")
    with pytest.raises(UserError, match="the shape of other is not known; those known are Qwen/Qwen3-4B, "):
        footprint_table(read_training(path))
