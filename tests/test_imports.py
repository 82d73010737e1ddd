"""Imports go one way, and starting the program loads nothing heavy."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = ("dsl", "prompts", "runtime", "search", "designsearch")
"""Lowest first: a layer imports itself and those before it."""


def modules() -> Iterator[tuple[str, Path]]:
    for layer in LAYERS:
        for path in sorted((ROOT / layer).rglob("*.py")):
            yield layer, path


def imported_layers(path: Path) -> Iterator[str]:
    """The layers that a module imports, wherever the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            whole = node.module == "designsearch"
            names = [f"designsearch.{alias.name}" for alias in node.names] if whole else [node.module or ""]
        for name in names:
            parts = name.split(".")
            if parts[0] == "designsearch":
                yield parts[1] if len(parts) > 1 and parts[1] in LAYERS else "designsearch"


@pytest.mark.parametrize(("layer", "path"), [pytest.param(a, p, id=str(p.relative_to(ROOT))) for a, p in modules()])
def test_no_module_imports_a_higher_layer(layer: str, path: Path) -> None:
    allowed = LAYERS[: LAYERS.index(layer) + 1]
    assert [name for name in imported_layers(path) if name not in allowed] == []


def test_the_check_sees_an_upward_import(tmp_path: Path) -> None:
    module = tmp_path / "m.py"
    module.write_text("def f():\n    from designsearch.search.study import Study\n")
    assert list(imported_layers(module)) == ["search"]


@pytest.mark.parametrize("heavy", ["numpy", "optuna", "openai", "pydantic", "jinja2", "scipy"])
def test_help_loads_nothing_heavy(heavy: str) -> None:
    code = f"import sys; from designsearch.cli.app import run; run(['--help']); sys.exit(int({heavy!r} in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
