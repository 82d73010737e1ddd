from pathlib import Path

import pytest

BROKEN = """\
version: 1
name: broken
storge: {}
retrieval:
  - {op: bm25, kk: 5}
  - {op: bm26}
"""

STUDY = """\
version: 1
study: ferry
data:
  - {history: history.jsonl, questions: questions.jsonl}
base: design.yaml
"""


def test_a_valid_design(command):
    done = command("validate", "design.yaml")
    assert done.status == 0
    assert done.out.startswith("design.yaml: ok, design ")
    assert done.out.endswith(" (words)\n")
    assert done.err == ""


def test_quiet_says_nothing_about_what_is_valid(command):
    assert command("validate", "-q", "design.yaml") == (0, "", "")


def test_a_valid_study(command):
    Path("study.yaml").write_text(STUDY, encoding="utf-8")
    assert command("validate", "study.yaml").out == "study.yaml: ok, study (ferry)\n"


def test_the_base_of_a_study_is_checked_too(command):
    Path("study.yaml").write_text(STUDY.replace("design.yaml", "broken.yaml"), encoding="utf-8")
    Path("broken.yaml").write_text(BROKEN, encoding="utf-8")
    done = command("validate", "study.yaml")
    assert done.status == 2
    assert done.out.startswith("broken.yaml:3:1: storge: unknown key")


def test_all_problems_of_all_files(command, golden):
    Path("broken.yaml").write_text(BROKEN, encoding="utf-8")
    Path("study.yaml").write_text(STUDY.replace("history.jsonl", "no.jsonl"), encoding="utf-8")
    done = command("validate", "broken.yaml", "design.yaml", "study.yaml")
    assert done.status == 2
    golden("validate_problems", done.out + done.err)


def test_json(command):
    Path("broken.yaml").write_text(BROKEN, encoding="utf-8")
    done = command("validate", "--json", "broken.yaml", "design.yaml")
    assert done.status == 2
    assert done.json["ok"] is False
    broken, valid = done.json["files"]
    assert [(p["line"], p["path"]) for p in broken["problems"]] == [
        (3, "storge"),
        (5, "retrieval[0].kk"),
        (6, "retrieval[1].op"),
    ]
    assert broken["hash"] is None
    assert valid == {
        "file": "design.yaml",
        "kind": "design",
        "ok": True,
        "hash": valid["hash"],
        "name": "words",
        "problems": [],
    }
    assert len(valid["hash"]) == 16


def test_patterns_that_no_shell_expanded(command):
    Path("more").mkdir()
    Path("more/other.yaml").write_text(Path("design.yaml").read_text(), encoding="utf-8")
    done = command("validate", "**/*.yaml")
    assert [line.split(":")[0] for line in done.out.splitlines()] == ["design.yaml", "more/other.yaml"]
    assert command("validate", "*.yml") == (2, "", "*.yml: no file fits this pattern\n")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "found nothing"),
        (b"- a\n", "found a list"),
        (b"a: [1\n", "the list opened with [ here is never closed"),
        ("name: café".encode("latin-1"), "not UTF-8"),
        (b"a: 1\n---\nb: 2\n", "found 2 documents (the second starts here)"),
    ],
)
def test_what_is_no_design_at_all(content, said, command):
    Path("x.yaml").write_bytes(content)
    done = command("validate", "x.yaml")
    assert done.status == 2
    assert done.out.startswith("x.yaml:")
    assert said in done.out
    assert "Traceback" not in done.out + done.err


def test_a_folder_and_a_missing_file(command):
    Path("folder").mkdir()
    done = command("validate", "folder", "missing.yaml")
    assert done.status == 2
    assert "folder: is a folder, not a design file" in done.out
    assert "missing.yaml: there is no such design file" in done.out
