"""What is installed with the program can be used: a design that names a file comes with it."""

import tomllib
from pathlib import Path

from designsearch.dsl.relocate import named_files
from designsearch.dsl.validate import load_design_file
from designsearch.runtime.operators import load_all

ROOT = Path(__file__).parents[2]


def test_files_that_the_designs_name_are_packaged_with_them():
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]
    packaged = {path.resolve() for pattern in data["designsearch.designs"] for path in (ROOT / "designs").glob(pattern)}
    designs = sorted((ROOT / "designs").glob("**/*.yaml"))
    named = {file.resolve() for path in designs for file in named_files(load_design_file(path, load_all()))}
    assert ROOT / "designs" / "found" / "rhelm-policy.json" in named
    assert named <= packaged
