"""Small sources, written by the tests themselves."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parents[2] / "golden" / "histories"


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a file below a fresh working directory; rows of a list become JSON lines."""
    monkeypatch.chdir(tmp_path)

    def write(name, content):
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, list) and path.suffix == ".jsonl":
            content = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content)
        elif not isinstance(content, str | bytes):
            content = json.dumps(content, ensure_ascii=False)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def golden():
    """Compare a text with a golden file (``UPDATE_GOLDEN=1`` writes it instead)."""

    def check(name, text):
        if os.environ.get("UPDATE_GOLDEN"):
            (GOLDEN / f"{name}.txt").write_text(text + "\n", encoding="utf-8")
        assert text + "\n" == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")

    return check
