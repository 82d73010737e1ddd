"""policy pairs: what is written, shown and refused; the reviewer is a stub."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from model_stub import Stub

from designsearch.cli import policy_pairs
from designsearch.cli.output import Output
from designsearch.cli.parser import Parser
from designsearch.dsl.problems import CannotContinueError, UserError
from designsearch.search.training.reward_model.reward_file import load_reward

DESIGN = """\
version: 1
name: rules
storage: {units: {op: records}}
retrieval:
  - op: policy
    policy: rules
    search: [{op: bm25, k: 3}]
"""


@pytest.fixture
def pairs(world, capsys):
    """Run the command in the small world with a design that has a policy."""
    Path("policy.yaml").write_text(DESIGN, encoding="utf-8")

    def run(*arguments, json_wanted=False):
        parser = Parser("designsearch policy pairs", "about", policy_pairs.__doc__)
        policy_pairs.configure(parser)
        whole = ["policy.yaml", "--history", "history.jsonl", "--questions", "questions.jsonl", "-o", "out", *arguments]
        status = policy_pairs.run(parser.parse(whole), Output(json=json_wanted))
        captured = capsys.readouterr()
        assert status == 0
        return captured.out, captured.err

    return run


def rows(name):
    return [json.loads(line) for line in Path("out", name).read_text(encoding="utf-8").splitlines()]


def test_what_is_written_and_shown(pairs, golden):
    out, err = pairs("--variants", "8")
    golden("policy_pairs", out + err)
    sft, preferences, rollouts = rows("sft.jsonl"), rows("preferences.jsonl"), rows("rollouts.jsonl")
    assert len(sft) > len(preferences) > 0
    assert [row["extra_info"]["question_id"] for row in rollouts] == ["q1", "q2"]
    assert sum(len(json.loads(row["extra_info"]["episodes"])) for row in rollouts) == len(sft)
    for row in preferences:
        chosen, rejected = (json.loads(row[side][0]["content"])["step_scores"] for side in ("chosen", "rejected"))
        assert [step["step_type"] for step in chosen] == [step["step_type"] for step in rejected]
        assert any(a["quality_level"] != b["quality_level"] for a, b in zip(chosen, rejected, strict=True))
    assert load_reward(Path("out/reward.json")).heads["stop"].weights.any()


def test_it_repeats_with_the_seed(pairs):
    pairs("--variants", "4")
    texts = [path.read_bytes() for path in sorted(Path("out").iterdir())]
    for path in Path("out").iterdir():
        path.unlink()
    pairs("--variants", "4")
    assert [path.read_bytes() for path in sorted(Path("out").iterdir())] == texts


def test_examples_as_parquet(pairs):
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    pairs("--variants", "2", "--parquet")
    whole = parquet.read_table("out/sft.parquet").to_pylist()
    assert whole == [{"messages": row["prompt"] + row["completion"]} for row in rows("sft.jsonl")]
    for file in Path("out").iterdir():
        if file.name != "sft.parquet":
            file.unlink()
    with pytest.raises(UserError, match=r"sft\.parquet: exists already"):
        pairs("--variants", "2", "--parquet")
    pairs("--variants", "2")


def test_parquet_without_its_package_is_refused_before_the_work(pairs, monkeypatch):
    monkeypatch.setattr("designsearch.search.training.extra.find_spec", lambda _: None)
    with pytest.raises(UserError, match=r"pyarrow is not installed: pip install 'designsearch\[train\]'"):
        pairs("--parquet")
    assert not Path("out").exists()


def test_the_account_as_json(pairs):
    out, _ = pairs("--variants", "4", "--most", "2", json_wanted=True)
    document = json.loads(out)
    assert (document["folder"], document["questions"], document["drawn"]) == ("out", 2, 8)
    assert document["episodes"] == len(rows("sft.jsonl")) <= 4
    assert document["pairs"] == len(rows("preferences.jsonl"))
    assert document["judge"] == "strict-1"


def scored(path, body, _):
    """Says 50 of every step that it is asked about."""
    if path != "/chat/completions" or "step_index" not in body["messages"][-1]["content"]:
        return None
    asked = body["messages"][-1]["content"]
    steps = re.findall(r"- step_index (\d+), step_type (\w+)", asked)
    return json.dumps(
        {
            "step_scores": [
                {"step_index": int(index), "step_type": kind, "quality_level": "weak", "score": 50}
                for index, kind in steps
            ]
        }
    )


def test_a_model_judges(pairs):
    with Stub(scored) as stub:
        block = {"models": {"reviewer": {"model": "stub", "base_url": stub.url}}}
        Path("models.yaml").write_text(json.dumps(block), encoding="utf-8")
        out, _ = pairs("--variants", "4", "--models", "models.yaml", json_wanted=True)
    assert "stub" in json.loads(out)["judge"]
    for row in rows("preferences.jsonl"):
        assert {step["score"] for step in json.loads(row["chosen"][0]["content"])["step_scores"]} == {50}


def test_a_model_that_judges_nothing_is_told(pairs):
    with Stub(lambda path, *_: "no scores at all" if path == "/chat/completions" else None) as stub:
        block = {"models": {"reviewer": {"model": "stub", "base_url": stub.url, "retries": 0}}}
        Path("models.yaml").write_text(json.dumps(block), encoding="utf-8")
        with pytest.raises(CannotContinueError, match=r"^nothing was judged: \d+ of \d+ episodes have no judgement"):
            pairs("--variants", "2", "--models", "models.yaml")
    assert not Path("out").exists()


def refusal(run, *arguments):
    with pytest.raises((UserError, CannotContinueError)) as error:
        run(*arguments)
    return f"{' '.join(arguments)}\n  {error.value}\n"


def test_refusals(pairs, golden):
    Path("full").mkdir()
    Path("full/sft.jsonl").write_text("", encoding="utf-8")
    Path("bare.jsonl").write_text('{"id": "q", "question": "Where?", "answer": "here"}\n', encoding="utf-8")
    told = refusal(pairs, "-o", "full") + refusal(pairs, "-o", "history.jsonl")
    told += refusal(pairs, "--questions", "bare.jsonl") + refusal(pairs, "--variants", "0")
    told += refusal(pairs, "--set", "retrieval[0]={op: bm25}")
    golden("policy_pairs_refused", told)


def test_a_model_that_is_missing_leaves_no_folder(pairs):
    Path("policy.yaml").write_text(DESIGN.replace("policy: rules", "policy: llm"), encoding="utf-8")
    with pytest.raises(UserError, match="helper"):
        pairs()
    assert not Path("out").exists()
