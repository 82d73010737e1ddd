import json

import pytest
from test_train import UNLABELLED, task

from designsearch.dsl.problems import UserError
from designsearch.runtime.records import Evidence, Question
from designsearch.runtime.services import Services
from designsearch.search.training.lora.config import read_training
from designsearch.search.training.lora.held_out import parted
from designsearch.search.training.lora.reward_rows import read_rows
from designsearch.search.training.lora.run import train_file

DESIGN = """
version: 1
storage: {units: {op: records}}
retrieval:
  - {op: policy, policy: llm, max_steps: 3, search: [{op: bm25, k: 3}]}
"""
CONFIG = """
policy: llm
design: design.yaml
model: model
dtype: float64
device: cpu
lora: {rank: 2, alpha: 4}
rollouts: {episodes: 2, questions: 1, reply_tokens: 8}
reward:
  model: model
  data: pairs
  lora: {rank: 2, alpha: 4}
  sft: {epochs: 1, batch: 2}
  dpo: {batch: 2}
"""
QUESTIONS = tuple(Question(f"q{i}", "What is the dog called?", "Miso", evidence=(Evidence("r2"),)) for i in range(6))


def conversation(role, text):
    return [{"role": role, "content": text}]


@pytest.fixture
def config(tmp_path):
    (tmp_path / "design.yaml").write_text(DESIGN)
    (tmp_path / "config.yaml").write_text(CONFIG)
    (tmp_path / "pairs").mkdir()
    prompt, said = conversation("user", "dog"), {name: conversation("assistant", name) for name in ("yes", "no", "May")}
    rows = {
        "sft.jsonl": [{"prompt": prompt, "completion": said["yes"]}] * 3,
        "preferences.jsonl": [{"prompt": prompt, "chosen": said["no"], "rejected": said["May"]}] * 2,
    }
    for name, lines in rows.items():
        (tmp_path / "pairs" / name).write_text("".join(json.dumps(row) + "\n" for row in lines))
    return read_training(tmp_path / "config.yaml")


def test_a_quarter_of_the_questions_is_held_out():
    made = task(UNLABELLED, *QUESTIONS)
    learning, held = parted([made, task(QUESTIONS[0])], seed=3)
    assert [len(one.questions) for one in (*learning, *held)] == [5, 1, 1, 0]
    assert sorted(one.id for one in (*learning[0].questions, *held[0].questions)) == [one.id for one in QUESTIONS]
    assert parted([made], seed=3)[1] == held[:1]
    assert len({parted([made], seed)[1][0].questions[0].id for seed in range(9)}) > 1


def test_a_file_trains_reward_model_and_policy(tiny, config, tmp_path):
    tiny.base().save_pretrained(tmp_path / "model")
    tiny.tokenizer().save_pretrained(tmp_path / "model")
    said = []
    best = train_file(config, [task(*QUESTIONS[:3])], Services(), tmp_path / "out", said.append)
    assert best == tmp_path / "out" / "best"
    assert said[0].startswith("sft: 3 examples, loss ")
    assert said[1].startswith("dpo: 2 pairs, loss 0.693 ")
    assert said[2] == "update 0: 0.000 of the held-out evidence is kept"
    assert sum("questions teach" in line for line in said) == 2
    assert "2 of 2 episodes have no judgement" in said[-1] or "4 of 4 episodes have no judgement" in said[-1]
    for part in ("reward", "best", "last"):
        assert (tmp_path / "out" / part / "adapter_model.safetensors").is_file()
    assert (tmp_path / "out" / "last" / "optimiser.pt").is_file()


def test_training_data_that_is_not_there(config, tmp_path):
    (tmp_path / "pairs" / "sft.jsonl").write_text('{"prompt": []}\n')
    with pytest.raises(UserError, match=r"sft.jsonl:1: is no row with prompt, completion as lists of messages"):
        read_rows(config)
    (tmp_path / "pairs" / "sft.jsonl").write_text("{")
    with pytest.raises(UserError, match=r"sft.jsonl:1:2: not JSON: "):
        read_rows(config)
    (tmp_path / "pairs" / "sft.jsonl").unlink()
    with pytest.raises(UserError, match=r"sft.jsonl: there is no such file; designsearch policy pairs writes it"):
        read_rows(config)
    (tmp_path / "config.yaml").write_text(CONFIG.replace("  data: pairs\n", ""))
    with pytest.raises(UserError, match=r"reward.data: is missing; name the folder"):
        read_rows(read_training(tmp_path / "config.yaml"))


def test_what_cannot_be_written_or_has_no_policy_is_told_before_anything_is_trained(config, tmp_path, monkeypatch):
    # nothing of them is imported before either is found out
    monkeypatch.setattr("designsearch.search.training.lora.run.need_libraries", lambda: None)
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match=r"file: is a file; name a folder$"):
        train_file(config, [], Services(), tmp_path / "file")
    config.design.write_text("version: 1\nretrieval: [{op: bm25}]\n", encoding="utf-8")
    with pytest.raises(UserError, match="op: policy"):
        train_file(config, [], Services(), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_without_the_libraries_a_line_says_what_to_install(config, tmp_path, monkeypatch):
    monkeypatch.setattr("designsearch.search.training.extra.find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"torch is not installed: pip install 'designsearch\[train\]'"):
        train_file(config, [task(*QUESTIONS)], Services(), tmp_path / "out")
