"""schema, ops, diff, init."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from designsearch.runtime.operators import load_all


def test_schema_of_designs_accepts_a_design(command):
    schema = json.loads(command("schema").out)
    jsonschema.validate(yaml.safe_load(Path("design.yaml").read_text()), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"version": 1, "retrieval": [{"op": "bm26"}]}, schema)


def test_schema_to_a_file(command):
    done = command("schema", "study", "-o", "study.schema.json")
    assert done == (0, "", "study.schema.json: written\n")
    assert json.loads(Path("study.schema.json").read_text())["title"] == "designsearch study"
    assert command("schema", "--json").json == json.loads(command("schema").out)


def test_ops_lists_every_operator(command):
    out = command("ops").out
    rows = {line.split("  ")[0].strip() for line in out.splitlines()}
    assert {op.name + " *" * (not op.works_alone) for op in load_all()} <= rows
    assert out.endswith("\n* needs a model for the role helper\n")
    assert len(command("ops", "--json").json) == len(list(load_all()))


def test_ops_explains_one(command, golden):
    golden("ops_take", command("ops", "take").out)


def test_ops_says_what_needs_a_model(command):
    assert "\n\nNeeds a model for the role helper.\n\nparameter" in command("ops", "hyde").out
    assert "\n\nNeeds a model for the role helper with some of its settings.\n\n" in command("ops", "events").out
    alone = {op.name for op in load_all() if op.needs_model and op.works_alone}
    assert "events" in alone
    assert not {"hyde", "rerank", "facts"} & alone


def test_ops_of_two_places(command):
    found = command("ops", "bm25", "--json").json
    assert [(one["stage"], one["slot"]) for one in found] == [("retrieve", "cascade"), ("feature", "features")]
    k = next(p for p in found[0]["parameters"] if p["name"] == "k")
    assert k == {
        "name": "k",
        "type": "whole number 1 to 100,000",
        "default": 200,
        "required": False,
        "about": "how many units are kept",
        "tune": {"low": 20, "high": 1000, "log": True},
    }


def test_ops_of_no_place(command):
    assert command("ops", "bm52") == (2, "", "there is no operator 'bm52' (did you mean bm25?)\n")


def test_diff_of_equal_designs(command):
    text = Path("design.yaml").read_text()
    Path("same.yaml").write_text("# a comment\n" + text.replace("k: 20", "k: 20.0"), encoding="utf-8")
    assert command("diff", "design.yaml", "same.yaml") == (0, "no semantic change\n", "")


def test_diff_of_different_designs(command):
    Path("new.yaml").write_text(Path("design.yaml").read_text().replace("k: 50", "k: 60"), encoding="utf-8")
    assert command("diff", "design.yaml", "new.yaml") == (1, "retrieval[0].k: 50 -> 60\n", "")
    done = command("diff", "design.yaml", "new.yaml", "--json")
    assert done.status == 1
    assert done.json["changed"] is True
    assert done.json["changes"] == [{"kind": "changed", "path": "retrieval[0].k", "before": 50, "after": 60}]


def test_diff_with_a_setting(command):
    done = command("diff", "design.yaml", "design.yaml", "--set", "retrieval[1].k=7")
    assert done == (1, "retrieval[1].k: 20 -> 7\n", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["design.yaml"], "diff: name two designs, A and B, not 1"),
        (["design.yaml", "no.yaml"], "no.yaml: there is no such design file"),
        (["design.yaml", "berlin@best"], "berlin: there is no such study"),
        (["--trajectory", "berlin"], "berlin: there is no such study"),
        (["--trajectory", "x", "design.yaml"], "name no designs beside it"),
        (["design.yaml", "design.yaml", "--set", "retrieval[9].k=1"], "--set retrieval[9].k=1"),
        (["design.yaml", "design.yaml", "--set", "retrieval[0].k"], "write path=value"),
        (["design.yaml", "design.yaml", "--set", "retrieval[0].k=-1"], "retrieval[0].k"),
    ],
)
def test_diff_of_what_is_not_there(arguments, said, command):
    done = command("diff", *arguments)
    assert done.status == 2
    assert said in done.err
    assert done.out == ""


def test_init_writes_valid_files_that_lead_on(command, world):
    done = command("init", "new", "--history", "history.jsonl", "--questions", "questions.jsonl")
    assert done.status == 0
    assert done.out == "new/design.yaml\nnew/study.yaml\n"
    assert "designsearch run new/study.yaml" in done.err
    assert command("validate", "new/design.yaml", "new/study.yaml").status == 0
    for name in ("design", "study"):
        first = Path(f"new/{name}.yaml").read_text().split("\n", 1)[0]
        assert first.startswith("# yaml-language-server: $schema=file:///")
        assert first.endswith(f"/dsl/{name}.schema.json")
    assert command("ask", "new/design.yaml", "--history", "history.jsonl", "Miso?").status == 0


@pytest.mark.parametrize(
    ("history", "named", "questions"),
    [
        ("history.jsonl", [], {"generate": {"count": 200}}),
        ("history.jsonl", ["--questions", "questions.jsonl"], "../questions.jsonl"),
        ("set.json", [], "official"),
    ],
)
def test_init_has_questions_made_where_there_are_none(command, world, history, named, questions):
    item = {"question_id": "1", "question": "Miso?", "answer": "Yes.", "question_type": "t", "answer_session_ids": []}
    said = [{"role": "user", "content": "Miso is a cat."}]
    item |= {"haystack_sessions": [said], "haystack_session_ids": ["s"], "haystack_dates": ["2023/05/20 (Sat) 02:21"]}
    item |= {"question_date": "2023/05/30 (Tue) 23:40"}
    Path("set.json").write_text(json.dumps([item]))
    assert command("init", "new", "--history", history, *named).status == 0
    assert yaml.safe_load(Path("new/study.yaml").read_text())["data"][0]["questions"] == questions


def test_init_overwrites_nothing(command):
    before = Path("design.yaml").read_text()
    done = command("init")
    assert done.status == 2
    assert done.err == "design.yaml: exists already and is not overwritten; name another folder\n"
    assert Path("design.yaml").read_text() == before
    assert not Path("study.yaml").exists()


def test_init_of_a_history_that_is_not_there(command):
    done = command("init", "new", "--history", "no.jsonl")
    assert done.status == 2
    assert done.err == "no.jsonl: there is no such file or folder\n"
    assert not Path("new").exists()
