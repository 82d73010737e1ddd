from pathlib import Path

import pytest

from designsearch.dsl.problems import InvalidFileError
from designsearch.dsl.validate import load_design_file
from designsearch.runtime.operators import load_all
from designsearch.runtime.operators.policy.policy import PolicyParams
from designsearch.search.training.lora.config import LoraShape, names_language_model, read_training

FULL = Path(__file__).parents[4] / "examples" / "training" / "aio-mem.yaml"


def test_the_full_size_run_is_what_the_paper_reports():
    file = read_training(FULL)
    shape, reward = file.shape, file.shape.reward
    assert (shape.policy, shape.model, reward.model) == ("llm", "Qwen/Qwen3-4B", "Qwen/Qwen3-8B")
    assert (shape.rollouts.episodes, shape.rollouts.questions, shape.update.rate) == (8, 8, 2e-5)
    assert shape.lora == LoraShape(rank=32, alpha=64, dropout=0.0)
    assert reward.lora == LoraShape(rank=32, alpha=64, dropout=0.05)
    assert (reward.sft.epochs, reward.sft.rate, reward.sft.batch) == (2, 1e-4, 8)
    assert (reward.dpo.epochs, reward.dpo.rate, reward.dpo.batch, reward.dpo.beta) == (1, 2e-6, 8, 0.1)
    design = load_design_file(file.design, registry=load_all())
    (stage,) = design.retrieval
    assert isinstance(stage.params, PolicyParams)
    assert (stage.params.policy, stage.params.max_steps, stage.params.observation_tokens) == ("llm", 8, 10_240)
    assert stage.params.search[-1].params.k == 10


def test_what_is_not_written_is_that_run(tmp_path):
    written = "policy: llm\ndesign: d.yaml\nmodel: Qwen/Qwen3-4B\nreward: {model: Qwen/Qwen3-8B}\n"
    path = tmp_path / "t.yaml"
    path.write_text(written)
    shape, full = read_training(path).shape, read_training(FULL).shape
    reward = full.reward.model_copy(update={"data": None})
    kept = {"design": shape.design, "template": shape.template, "reward": reward}
    assert shape == full.model_copy(update=kept)


def test_mistakes_are_told_with_their_places(tmp_path):
    path = tmp_path / "t.yaml"
    path.write_text("policy: learned\nmodel: m\nlora:\n  rang: 8\n  rank: 0\nrollouts: {episodes: 1}\n")
    with pytest.raises(InvalidFileError) as caught:
        read_training(path)
    told = str(caught.value).replace(str(tmp_path) + "/", "")
    for part in (
        "t.yaml:1:1: design is missing",
        "t.yaml:1:9: policy:",
        "t.yaml:4:3: lora.rang: unknown key rang (did you mean rank?)",
        "t.yaml:5:9: lora.rank:",
        "t.yaml:6:22: rollouts.episodes:",
    ):
        assert part in told


def test_a_model_beside_the_file_is_a_folder_and_any_other_a_name(tmp_path):
    path = tmp_path / "t.yaml"
    path.write_text("policy: llm\ndesign: d.yaml\nmodel: here\n")
    (tmp_path / "here").mkdir()
    file = read_training(path)
    assert file.model("here") == str(tmp_path / "here")
    assert file.model("Qwen/Qwen3-4B") == "Qwen/Qwen3-4B"
    assert file.design == tmp_path / "d.yaml"


def test_a_configuration_is_told_from_a_design(tmp_path):
    assert names_language_model(FULL)
    assert not names_language_model(read_training(FULL).design)
    assert not names_language_model(tmp_path / "none.yaml")
    (tmp_path / "broken.yaml").write_text("policy: [")
    assert not names_language_model(tmp_path / "broken.yaml")
