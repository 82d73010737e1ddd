"""A small world of files, and the command line run inside the test's process."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from designsearch.cli.app import run as run_command

sys.path.insert(0, str(Path(__file__).parent))  # for small_world, which several test files share

from small_world import DESIGN, HISTORY, QUESTIONS, write_lines

GOLDEN = Path(__file__).parents[1] / "golden" / "cli"


class Done(NamedTuple):
    """What a command left."""

    status: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def world(tmp_path, monkeypatch):
    """A working folder with a design, a history and questions, and a cache of its own."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("DESIGNSEARCH_CACHE", str(tmp_path / "cache"))
    Path("design.yaml").write_text(DESIGN, encoding="utf-8")
    write_lines("history.jsonl", HISTORY)
    write_lines("questions.jsonl", QUESTIONS)
    return folder


@pytest.fixture
def command(world, capsys):
    """Run a command line in the working folder."""

    def run(*arguments: str) -> Done:
        status = run_command(arguments)
        captured = capsys.readouterr()
        return Done(status, captured.out, captured.err)

    return run


@pytest.fixture
def golden(world, tmp_path):
    """Compare a text with a golden file (``UPDATE_GOLDEN=1`` writes it instead); what varies is masked."""

    def check(name: str, text: str, *, timed: bool = False) -> None:
        path = GOLDEN / f"{name}.txt"
        text = text.replace(str(tmp_path), "FOLDER")
        text = without_times(text) if timed else text
        if os.environ.get("UPDATE_GOLDEN"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return check


def without_times(text: str) -> str:
    """Times, and the widths of columns that follow from them, made equal everywhere."""
    text = re.sub(r"\d+(\.\d+)? (ms|s)\b", "TIME", text)
    text = re.sub(r"-{3,}", "---", text)
    return re.sub(r"(?<=\S) {2,}", "  ", text)


@pytest.fixture(scope="session")
def program():
    """The command line as another process runs it."""
    return [sys.executable, "-m", "designsearch"]
