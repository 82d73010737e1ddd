"""Imports go one way, and starting the program loads nothing heavy."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
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


def imported_modules(path: Path) -> Iterator[str]:
    """Whole names of what a module imports of ours, wherever the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("designsearch"):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("designsearch"))


def circles(imports: dict[str, set[str]]) -> list[str]:
    """Files and folders of one folder that import each other in a circle, folder by folder.

    Args:
        imports: by the whole name of a module, what it imports.
    """
    between: dict[str, dict[str, set[str]]] = {}
    for module, names in imports.items():
        for name in names:
            mine, theirs = module.split("."), name.split(".")
            same = next((i for i, pair in enumerate(zip(mine, theirs, strict=False)) if pair[0] != pair[1]), None)
            if same is not None:
                between.setdefault(".".join(mine[:same]), {}).setdefault(mine[same], set()).add(theirs[same])
    found = []
    for folder, rooms in between.items():
        try:
            TopologicalSorter(rooms).prepare()
        except CycleError as error:
            found.append(f"{folder}: {' -> '.join(reversed(error.args[1]))}")
    return found


def test_files_and_folders_of_no_folder_import_each_other_in_a_circle() -> None:
    imports = {}
    for layer, path in modules():
        parts = path.relative_to(ROOT / layer).with_suffix("").parts
        whole = ("designsearch", *(() if layer == "designsearch" else (layer,)), *parts)
        imports[".".join(whole).removesuffix(".__init__")] = set(imported_modules(path))
    assert circles(imports) == []


def test_the_check_sees_a_circle_of_folders() -> None:
    one_way = {"a.b.one": {"a.c.two"}, "a.c.two": {"a.d"}}
    assert circles(one_way) == []
    assert circles({**one_way, "a.c.three": {"a.b.four"}}) in (["a: b -> c -> b"], ["a: c -> b -> c"])


def test_the_check_sees_an_upward_import(tmp_path: Path) -> None:
    module = tmp_path / "m.py"
    module.write_text("def f():\n    from designsearch.search.study import Study\n")
    assert list(imported_layers(module)) == ["search"]


@pytest.mark.parametrize("heavy", ["numpy", "optuna", "openai", "pydantic", "jinja2", "scipy"])
def test_help_loads_nothing_heavy(heavy: str) -> None:
    code = f"import sys; from designsearch.cli.app import run; run(['--help']); sys.exit(int({heavy!r} in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
