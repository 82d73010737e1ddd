from __future__ import annotations

from pathlib import Path

import pytest

from designsearch.runtime.models.settings import ModelSettings, is_folder

FOLDER = Path("/studies/berlin")


@pytest.mark.parametrize(
    ("given", "model", "file"),
    [
        ({"model": "local"}, "local", None),
        ({"model": "local", "file": "models/a.gguf"}, "local", "/studies/berlin/models/a.gguf"),
        ({"model": "local", "file": "/models/a.gguf"}, "local", "/models/a.gguf"),
        ({"model": "sentence-transformers/./tiny"}, "sentence-transformers//studies/berlin/tiny", None),
        ({"model": "sentence-transformers//models/tiny"}, "sentence-transformers//models/tiny", None),
        ({"model": "sentence-transformers/org/name"}, "sentence-transformers/org/name", None),
        ({"model": "qwen3", "base_url": "http://127.0.0.1:8080/v1"}, "qwen3", None),
    ],
)
def test_paths_are_relative_to_the_file_that_names_them(given, model, file):
    made = ModelSettings(**given).beside(FOLDER)
    assert (made.model, made.file) == (model, file)


@pytest.mark.parametrize(
    ("named", "is_one"), [("./a", True), ("../a", True), ("~/a", True), ("/a", True), ("a/b", False)]
)
def test_how_folders_are_told_from_names(named, is_one):
    assert is_folder(named) == is_one
