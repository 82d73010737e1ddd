"""What users get wrong, and machines: one message with its place, the right status, never a traceback."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from small_world import DESIGN, write_lines

EVAL = ("eval", "{design}", "--history", "{history}", "--questions", "{questions}")
ASK = ("ask", "{design}", "--history", "{history}", "Miso?")
DIAGNOSE = ("diagnose", "{design}", "--history", "{history}", "--questions", "{questions}")

GOOD = {"design": "design.yaml", "history": "history.jsonl", "questions": "questions.jsonl"}


def filled(command, **names):
    return [part.format(**{**GOOD, **names}) for part in command]


@pytest.fixture
def files(world):
    """Files with all kinds of mistakes."""
    Path("folder").mkdir()
    Path("broken.yaml").write_text("version: 1\nretrieval: [{op: bm25\n", encoding="utf-8")
    Path("tab.yaml").write_text("version: 1\nretrieval:\n\t- {op: bm25}\n", encoding="utf-8")
    Path("latin.yaml").write_bytes(DESIGN.replace("words", "caf\xe9").encode("latin-1"))
    Path("latin.jsonl").write_bytes(json.dumps({"id": "a", "text": "caf\xe9"}, ensure_ascii=False).encode("latin-1"))
    Path("line.jsonl").write_text('{"id": "a", "text": "x"}\n{"id": "b", "text": \n', encoding="utf-8")
    Path("questions-as-history.jsonl").write_text('{"question": "Who?"}\n', encoding="utf-8")
    Path("text.odd").write_text("hello\n", encoding="utf-8")
    write_lines("odd.jsonl", [{"id": "q", "question": "Who?", "evidnce": [], "answer_type": "colour"}])
    return world


@pytest.mark.parametrize("arguments", [ASK, EVAL, DIAGNOSE], ids=["ask", "eval", "diagnose"])
@pytest.mark.parametrize(
    ("names", "said"),
    [
        ({"design": "no.yaml"}, "no.yaml: there is no such design file"),
        ({"design": "folder"}, "folder: is a folder, not a design file"),
        ({"design": "broken.yaml"}, "broken.yaml:2:"),
        ({"design": "tab.yaml"}, "tab.yaml:3:"),
        ({"design": "latin.yaml"}, "latin.yaml:2:10: not UTF-8"),
        ({"design": "no@best"}, "no: there is no such study"),
        ({"history": "no.jsonl"}, "no.jsonl: there is no such file or folder"),
        ({"history": "folder"}, "folder: is in no known format"),
        ({"history": "text.odd"}, "text.odd: is in no known format"),
        ({"history": "latin.jsonl"}, "latin.jsonl:1: byte 0xe9 is not UTF-8"),
        ({"history": "line.jsonl"}, "line.jsonl:2:"),
        ({"history": "questions-as-history.jsonl"}, "this looks like a question"),
        ({"history": "history.jsonl#x"}, "holds no history 'x'"),
        ({"history": "#x"}, "the path is missing"),
    ],
)
def test_a_wrong_design_or_history(arguments, names, said, files, command):
    done = command(*filled(arguments, **names))
    assert done.status == 2
    assert said in done.err
    assert done.out == ""


@pytest.mark.parametrize("arguments", [EVAL, DIAGNOSE], ids=["eval", "diagnose"])
@pytest.mark.parametrize(
    ("names", "said"),
    [
        ({"questions": "no.jsonl"}, "no.jsonl: there is no such file"),
        ({"questions": "folder"}, "folder: is a folder, a file is needed"),
        ({"questions": "odd.jsonl"}, "odd.jsonl:1: answer_type: must be one of"),
        ({"questions": "history.jsonl"}, "history.jsonl:1: question: is missing"),
        ({"questions": "official"}, "brings no questions"),
    ],
)
def test_wrong_questions(arguments, names, said, files, command):
    done = command(*filled(arguments, **names))
    assert done.status == 2
    assert said in done.err


@pytest.mark.parametrize("arguments", [ASK, EVAL, DIAGNOSE], ids=["ask", "eval", "diagnose"])
@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("retrieval[0].k", "write path=value"),
        ("=5", "write path=value"),
        ("retrieval[7].k=5", "design.yaml: --set retrieval[7].k=5: "),
        ("retrieval[0].k=0", "retrieval[0].k: "),
        ("retrieval[0].kk=5", "bm25 has no parameter kk (did you mean k?)"),
        ("retrieval[0].k=many", "retrieval[0].k: "),
        ("retrieval[0]=[1", "cannot be read"),
        ("retrieval..k=5", "is not a path"),
        ("context.item={{ unti.text }}", "unti"),
    ],
)
def test_wrong_settings(arguments, setting, said, world, command):
    done = command(*filled(arguments), "--set", setting)
    assert done.status == 2
    assert said in done.err
    assert done.out == ""


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="a superuser may read everything")
def test_a_file_that_may_not_be_read(world, command):
    for name in ("design.yaml", "history.jsonl"):
        Path(name).chmod(0)
        done = command(*filled(ASK))
        assert done.status == 2
        assert name in done.err
        Path(name).chmod(0o600)


def run(program, arguments, world, **variables):
    environment = {**os.environ, "DESIGNSEARCH_CACHE": str(world / "cache"), **variables}
    return subprocess.run([*program, *arguments], capture_output=True, cwd=world, env=environment, check=False)


POOR = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize("variables", [POOR, {"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"}])
def test_any_text_under_any_encoding(variables, world, program):
    Path("design.yaml").write_text(DESIGN.replace("name: words", "name: 言葉 ☃"), encoding="utf-8")
    line = json.dumps({"id": "z", "text": "Miso 喜欢绿茶 🍵 caf\xe9 \ud83d", "author": "美咲"})
    Path("history.jsonl").write_text(Path("history.jsonl").read_text() + line + "\n")
    done = run(program, filled(ASK), world, **variables)
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    assert b"\\u559c" in done.stdout
    assert b"\\U0001f375" in done.stdout
    plain = run(program, ["ask", "--json", *filled(ASK)[1:]], world, **variables)
    found = json.loads(plain.stdout.decode("ascii"))
    assert "喜欢绿茶 🍵 caf\xe9 " in found["context"]["text"]
    asked = run(program, [*filled(ASK)[:-1], "喜欢绿茶", "--json"], world, **variables)
    assert json.loads(asked.stdout)["question"] == "喜欢绿茶"
    assert run(program, ["validate", "design.yaml", "日本.yaml"], world, **variables).returncode == 2
    assert run(program, ["eval", *filled(EVAL)[1:], "--out", "r.jsonl"], world, **variables).returncode == 0
    assert "喜欢绿茶" in Path("r.jsonl").read_text(encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="needs limits on the size of files")
def test_a_disk_that_is_full_when_results_are_written(world, program):
    limited = ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", *program]
    done = run(limited, [*filled(EVAL), "--no-answers", "--no-references", "--out", "r.jsonl"], world)
    assert done.returncode == 4
    assert b"r.jsonl: cannot be written: file too large" in done.stderr
    assert b"Traceback" not in done.stderr
    assert not Path("r.jsonl").exists()
    assert [path.name for path in world.iterdir() if path.name.startswith(".r.jsonl")] == []


def test_a_study_is_no_design_and_a_design_is_no_study(files, command):
    Path("some.yaml").write_text("version: 1\nstudy: some\ndata: []\nbase: design.yaml\n", encoding="utf-8")
    done = command(*filled(EVAL, design="some.yaml"))
    assert (done.status, done.err) == (
        2, "some.yaml: this is a study, not a design; some.yaml@best is the best that it found\n",
    )  # fmt: skip
    done = command("run", "design.yaml")
    assert done.status == 2
    assert done.err.startswith("design.yaml: this is a design, not a study")


def test_what_is_missing_at_one_place_is_told_in_the_order_of_the_format(files, command):
    Path("some.yaml").write_text("version: 1\nobjective: accuracy\nstudy: some\n", encoding="utf-8")
    err = command("run", "some.yaml").err
    assert err.index("data is missing") < err.index("base is missing")
    Path("none.yaml").write_text("version: 1\n", encoding="utf-8")
    err = command("run", "none.yaml").err
    assert err.index("study is missing") < err.index("data is missing") < err.index("base is missing")
