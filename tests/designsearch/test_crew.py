from __future__ import annotations

from pathlib import Path

from designsearch.crew import read_models


def test_paths_are_relative_to_the_file_of_models(tmp_path):
    file = tmp_path / "models.yaml"
    file.write_text("models: {helper: {model: local, file: a.gguf}}\n", encoding="utf-8")
    assert read_models(file).by_role["helper"].file == str(tmp_path / "a.gguf")
    assert read_models({"helper": {"model": "local", "file": "a.gguf"}}).by_role["helper"].file == str(Path("a.gguf"))
