from pathlib import Path

import pytest
from model_stub import Stub
from small_world import DESIGN

import designsearch
from designsearch import UserError, diff, evaluate, load_design, validate
from designsearch.dsl.problems import CannotContinueError, InvalidFileError
from designsearch.runtime.histories.base import load


def test_the_public_names():
    assert set(designsearch.__all__) <= set(dir(designsearch))
    for name in designsearch.__all__:
        assert getattr(designsearch, name) is not None
    from importlib.metadata import version

    assert designsearch.__version__ == version("designsearch")
    with pytest.raises(AttributeError, match="no attribute 'Memry'"):
        designsearch.Memry  # noqa: B018


def test_load_design(world):
    want = load_design(DESIGN)
    assert want.name == "words"
    assert (
        load_design("design.yaml").hash == load_design(Path("design.yaml")).hash == load_design(want).hash == want.hash
    )
    changed = load_design("design.yaml", set=["retrieval[1].k=7", "context.order=relevance"])
    assert [str(change) for change in diff(want, changed)] == [
        "retrieval[1].k: 20 -> 7",
        "context.order: chronological -> relevance",
    ]
    with pytest.raises(UserError, match=r"design.yaml: --set retrieval\[5\].k=7"):
        load_design("design.yaml", set=["retrieval[5].k=7"])
    with pytest.raises(InvalidFileError, match=r"retrieval\[1\].kk: take has no parameter kk"):
        load_design("design.yaml", set=["retrieval[1].kk=7"])


def test_validate(world):
    assert validate("design.yaml") == []
    assert validate(DESIGN) == []
    (problem,) = validate(DESIGN.replace("k: 50", "k: none"))
    assert (problem.line, problem.path) == (6, "retrieval[0].k")
    Path("study.yaml").write_text("version: 1\nstudy: s\ndata: []\nbase: no.yaml\n", encoding="utf-8")
    assert [p.path for p in validate("study.yaml")] == ["data"]
    (missing,) = validate("no.yaml")
    assert missing.message == "there is no such design file"


def test_diff(world):
    assert diff("design.yaml", DESIGN + "# comment\n") == []
    (change,) = diff("design.yaml", DESIGN.replace("k: 50", "k: 60"))
    assert (str(change), change.before, change.after) == ("retrieval[0].k: 50 -> 60", 50, 60)


def test_evaluate(world):
    found = evaluate("design.yaml", "history.jsonl", "questions.jsonl")
    assert (found.design, found.questions) == ("words", 3)
    assert found.metrics["evidence_coverage"].mean == 1.0
    assert found.metrics["accuracy"].count + len(found.metrics["accuracy"].unmeasured) == 3
    assert evaluate(DESIGN, load("history.jsonl"), "questions.jsonl", where=["type=fact"], budget=30).questions == 1
    with pytest.raises(CannotContinueError, match="no question is left"):
        evaluate(DESIGN, "history.jsonl", "questions.jsonl", where=["type=fact", "answerable=false"])


def test_designs_are_measured_with_models(world):
    with Stub(lambda path, body, number: "9:30" if path == "/chat/completions" else None) as stub:
        models = {"answerer": {"model": "stub", "base_url": stub.url}}
        found = evaluate("design.yaml", "history.jsonl", "questions.jsonl", models=models)
        assert found.calls == 3
        assert len(stub.bodies()) == 3
