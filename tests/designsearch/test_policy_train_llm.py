"""policy train with a configuration of a language model; the training itself is tested elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from designsearch.search.training import extra
from designsearch.search.training.lora import run

CONFIG = "policy: llm\ndesign: design.yaml\nmodel: some-model\n"


@pytest.fixture
def train(command):
    Path("training.yaml").write_text(CONFIG, encoding="utf-8")
    data = ["--history", "history.jsonl", "--questions", "questions.jsonl"]
    return lambda *more: command("policy", "train", "training.yaml", *data, "-o", "out", *more)


def test_the_configuration_is_trained_on_the_questions(train, monkeypatch):
    seen = []

    def train_file(config, tasks, services, folder, say):
        say("update 1: reward 0.500, 1 questions teach")
        seen.append((config.shape.model, [one.name for one in tasks], len(tasks[0].questions), services.helper, folder))
        return folder / "best"

    monkeypatch.setattr(run, "need_libraries", lambda: None)
    monkeypatch.setattr(run, "train_file", train_file)
    done = train()
    assert done.status == 0
    assert "out/best: adapters of some-model, the best on held-out questions; serve them as models.helper" in done.out
    ((model, names, questions, helper, folder),) = seen
    assert (model, names, helper, folder) == ("some-model", ["history"], None, Path("out"))
    assert questions > 0
    assert train("--json").json == {"weights": "out/best"}


def test_what_is_missing_is_told_before_anything_is_read(train, monkeypatch):
    monkeypatch.setattr(extra, "find_spec", lambda name: None)
    done = train()
    assert done.status == 2
    assert "torch is not installed: pip install 'designsearch[train]'" in done.err
    Path("training.yaml").write_text(CONFIG + "rollouts: {episodes: 1}\n", encoding="utf-8")
    done = train()
    assert done.status == 2
    assert "training.yaml:4:22: rollouts.episodes: " in done.err
    assert not Path("out").exists()


@pytest.mark.parametrize(
    "given",
    [("--rounds", "3"), ("--tokens", "9"), ("--per-round", "2"), ("--seed", "0"), ("--curve", "c"), ("--set", "a=1")],
)
def test_numbers_of_the_small_policy_are_not_taken_and_forgotten(train, given):
    done = train(*given)
    said = "training.yaml trains a language model; its numbers stand in that file, and its curve is written beside the"
    assert (done.status, done.err) == (2, f"{given[0]}: {said} adapters\n")
