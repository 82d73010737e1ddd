from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from designsearch.dsl.problems import InvalidFileError
from designsearch.search.study_file import parse_study, read_study, study_schema

GOLDEN = Path(__file__).parents[1] / "golden" / "search"

GOOD = """\
version: 1
study: berlin
data:
  - {history: set.jsonl#Jonas, format: jsonl, questions: questions.jsonl, where: {type: [fact], evidence: conversation}}
  - {history: other.jsonl, split: locked}
split: {train: 0.5, validation: 0.3, locked: 0.2}
base: base.yaml
context_budget: 3000
objective: accuracy
proposer: {op: sampler, sampler: random, most: 2}
accept: {op: paired, alpha: 0.05}
budget: {trials: 12, minutes: 30}
execution: {backend: loky, jobs: 2}
seed: 7
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in ("set.jsonl", "other.jsonl", "questions.jsonl", "base.yaml", "history.jsonl"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_study_is_read_with_its_defaults(folder):
    study = parse_study(GOOD, Path("study.yaml"))
    assert study.name == "berlin"
    assert study.shape.data[0].where.evidence == "conversation"
    assert study.shape.data[1].split == "locked"
    assert study.shape.history_view == "all"
    assert study.shape.split.confirm == 0
    assert study.proposer.canonical() == {
        "op": "sampler", "sampler": "random", "startup": 8, "structure": 0.5, "most": 2,
    }  # fmt: skip
    assert study.accept.canonical() == {"op": "paired", "alpha": 0.05}
    assert study.shape.budget.trials == 12
    assert study.shape.budget.usd is None


def test_proposer_and_acceptance_have_defaults(folder):
    study = parse_study("version: 1\nstudy: s\ndata: [{history: set.jsonl}]\nbase: base.yaml\n", Path("study.yaml"))
    assert (study.proposer.op, study.accept.op) == ("mixed", "paired")
    assert study.shape.budget.trials == 30
    assert study.shape.objective == "evidence_coverage"


def test_paths_are_relative_to_the_file(folder):
    study = parse_study(GOOD, folder / "study.yaml")
    assert study.path("x/base.yaml") == folder / "x/base.yaml"
    assert study.run_folder == folder / "runs/berlin"
    assert study.storage == str(folder / "runs/berlin/journal.log")


@pytest.mark.parametrize(
    ("storage", "url", "run_folder"),
    [
        ("ledgers/mine.log", "{}/ledgers/mine.log", "ledgers"),
        ("sqlite:///db/study.db", "sqlite:///{}/db/study.db", "runs/berlin"),
        ("postgresql://user@host/studies", "postgresql://user@host/studies", "runs/berlin"),
    ],
)
def test_run_folder_is_beside_the_journal_else_under_runs(folder, storage, url, run_folder):
    study = parse_study(GOOD + f"storage: {storage}\n", folder / "study.yaml")
    assert study.storage == url.format(folder.resolve())
    assert study.run_folder == folder / run_folder


MISTAKES = {
    "keys": """\
version: 1
study: berlin
data:
  - {history: set.jsonl, questons: questions.jsonl}
split: {train: 0.5, validation: 0.3, locked: 0.2, by: histories}
base: base.yaml
objective: accurracy
budget: {trials: 0, minuts: 3}
retrieval: [{op: bm25}]
seed: -1
""",
    "choices": """\
version: 1
study: berlin
data: [{history: set.jsonl}]
base: base.yaml
proposer: {op: sampler, sampler: tpe, max_steps: 10}
accept: {op: pared}
""",
    "sampler": """\
version: 1
study: berlin
data: [{history: set.jsonl}]
base: base.yaml
proposer: sampler
accept: {op: paired, alpha: 1.5}
""",
    "not_yet": """\
version: 1
study: berlin
data:
  - {history: set.jsonl}
base: base.yaml
execution: {backend: dask, jobs: 2}
""",
    "models": """\
version: 1
study: berlin
data: [{history: set.jsonl}]
base: base.yaml
models:
  default: {model: qwen3, base_url: "127.0.0.1:8080/v1", temprature: 1}
  answerer: qwen3
  judges: offline
  judge: ofline
  proposer: {base_url: "http://127.0.0.1:8080/v1", timeout: 0}
  planner: 7
  embedder: sentence-transformers/all-MiniLM-L6-v2
  helper: {model: qwen3, price: {input: -1}}
""",
    "keys_in_it": """\
version: 1
study: berlin
data: [{history: set.jsonl}]
base: base.yaml
models:
  answerer: {model: gpt, api_key: sk-abcdefgh12345678, temperature: 9}
  judge:
    model: gpt
    api_key_env: sk-abcdefgh12345678
  helper: {model: gpt, send: {headers: {Authorization: "Bearer abcdefgh12345678"}}}
  reader: {model: gpt, api_key_env: MY KEY}
""",
    "models_together": """\
version: 1
study: berlin
data: [{history: set.jsonl}]
base: base.yaml
models:
  answerer: {model: gpt}
  judge: {model: gpt, price: {input: 0.4, output: 1.6}}
  helper: local
proposer: {op: mixed, of: [rules, llm]}
budget: {usd: 5}
execution: {backend: loky, jobs: 2}
""",
    "together": """\
version: 1
study: berlin
data:
  - {history: gone.jsonl#Jonas, questions: lost.jsonl, split: locked}
split: {train: 0.5, validation: 0.3, locked: 0.3}
base: nowhere.yaml
accept: {op: confirm}
storage: mysql://host/db
""",
    "reserved": """\
version: 1
study: a study
data: [{history: set.jsonl}]
split: {train: 0.5, validation: 0.2, locked: 0.2, confirm: 0.1}
base: base.yaml
storage: journal.txt
context_budget: 4k
""",
}


@pytest.mark.parametrize("name", MISTAKES)
def test_every_mistake_is_told_with_its_place(folder, name):
    with pytest.raises(InvalidFileError) as error:
        parse_study(MISTAKES[name], Path("study.yaml"))
    golden = GOLDEN / f"study_{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(f"{error.value}\n", encoding="utf-8")
    assert str(error.value) + "\n" == golden.read_text(encoding="utf-8")


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(InvalidFileError, match="there is no such study file"):
        read_study(tmp_path / "none.yaml")


def test_keys_for_other_tools_are_ignored(folder):
    study = parse_study(GOOD + "x-owner: me\nnotes: {any: thing}\n", Path("study.yaml"))
    assert study.name == "berlin"


def test_the_schema_accepts_what_is_valid_and_refuses_what_is_not(folder):
    validator = Draft202012Validator(study_schema())
    Draft202012Validator.check_schema(study_schema())
    good = {
        "version": 1, "study": "s", "data": [{"history": "h", "where": {"type": ["fact"]}}], "base": "b",
        "proposer": {"op": "sampler", "most": 2}, "accept": {"op": "confirm", "alpha": 0.1}, "x-any": 1,
    }  # fmt: skip
    assert validator.is_valid(good)
    assert not validator.is_valid(good | {"proposer": {"op": "sampler", "max_steps": 2}})
    assert not validator.is_valid(good | {"proposer": {"op": "rules", "most": 2}})
    assert not validator.is_valid(good | {"budget": {"trials": 0}})
    assert not validator.is_valid(good | {"unknown": 1})


def test_every_key_of_the_schema_is_explained():
    schema = study_schema()
    for part in (schema, *schema["$defs"].values()):
        for name, key in part["properties"].items():
            assert key.get("description"), name
    assert json.loads(json.dumps(schema)) == schema


def said(text):
    with pytest.raises(InvalidFileError) as error:
        parse_study(text, Path("study.yaml"))
    return [problem.headline() for problem in error.value.problems]


def test_an_unknown_format_and_a_folder_for_a_base_are_told_with_their_places(folder):
    (folder / "designs").mkdir()
    assert said(
        "version: 1\nstudy: a\ndata: [{history: set.jsonl, format: jsnl}]\nbase: designs\n"
    ) == [
        "study.yaml:3:37: data[0].format: unknown format jsnl (did you mean jsonl?)",
        "study.yaml:4:7: base: is a folder, a file is needed: designs",
    ]  # fmt: skip


@pytest.mark.parametrize("history", ["my#set.jsonl", "my#set.jsonl#my#set", "set.jsonl#a#b"])
def test_paths_and_names_of_histories_may_hold_a_hash(folder, history):
    (folder / "my#set.jsonl").touch()
    study = parse_study(
        f"version: 1\nstudy: a\ndata: [{{history: '{history}'}}]\nbase: base.yaml\n", Path("study.yaml")
    )
    assert study.shape.data[0].history == history


def with_models(models):
    return parse_study(
        f"version: 1\nstudy: a\ndata: [{{history: set.jsonl}}]\nbase: base.yaml\nmodels: {models}\n", Path("study.yaml")
    )


def test_every_role_is_offline_unless_named(folder):
    assert parse_study(GOOD, Path("study.yaml")).models == {}
    assert with_models("{default: offline, helper: {model: offline}}").models == {}


def test_default_names_a_model_for_every_role_that_is_not_named_but_the_embedder(folder):
    models = with_models(
        '{default: {model: qwen3, base_url: "http://127.0.0.1:8080/v1"}, judge: offline, helper: local}'
    )
    named = models.models
    assert set(named) == {"answerer", "proposer", "planner", "reviewer", "reader", "helper"}
    assert named["answerer"].base_url == "http://127.0.0.1:8080/v1"
    assert (named["answerer"].model, named["helper"].model) == ("qwen3", "local")
    assert set(with_models("{embedder: {model: sentence-transformers/x}}").models) == {"embedder"}


def test_only_models_whose_tokens_may_cost_need_a_price(folder):
    text = "{helper: local, embedder: {model: sentence-transformers/x}, judge: {model: m, price: {}}}\nbudget: {usd: 1}"
    assert set(with_models(text).models) == {"helper", "embedder", "judge"}


def test_the_schema_knows_models(folder):
    validator = Draft202012Validator(study_schema())
    good = {"version": 1, "study": "s", "data": [{"history": "h"}], "base": "b"}
    assert validator.is_valid(good | {"models": {"default": {"model": "m", "price": {"input": 1}}, "judge": "local"}})
    assert not validator.is_valid(good | {"models": {"judge": "qwen3"}})
    assert not validator.is_valid(good | {"models": {"judge": {"model": "m", "api_key": "k"}}})
