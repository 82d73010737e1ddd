"""Write the files of the repository that are made from the code, or check that they are fresh.

``python -m designsearch.generate`` writes them; with ``--check`` it changes nothing and the status is 1 where one is
out of date.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import designsearch.dsl


def _design_schema() -> str:
    from designsearch.dsl.schema import design_schema, render_schema
    from designsearch.runtime.operators import load_all

    return render_schema(design_schema(load_all()))


def _study_schema() -> str:
    from designsearch.dsl.schema import render_schema
    from designsearch.search.study_file import study_schema

    return render_schema(study_schema())


def _operators_page() -> str:
    from designsearch.reference.operators import operators_page
    from designsearch.runtime.operators import load_all

    return operators_page(load_all())


def _features_page() -> str:
    from designsearch.reference.operators import features_page
    from designsearch.runtime.operators import load_all

    return features_page(load_all())


def _commands_page() -> str:
    from designsearch.reference.commands import commands_page

    return commands_page()


def _study_page() -> str:
    from designsearch.reference.study import study_page

    return study_page()


def _readme() -> str:
    from designsearch.reference.readme import readme

    return readme(_read(ROOT / "README.md"))


ROOT = Path(designsearch.dsl.__file__).parents[1]
"""The folder that the sources are in."""

GENERATED: dict[str, Callable[[], str]] = {
    "dsl/design.schema.json": _design_schema,
    "dsl/study.schema.json": _study_schema,
    "docs/reference/operators.md": _operators_page,
    "docs/reference/features.md": _features_page,
    "docs/reference/commands.md": _commands_page,
    "docs/reference/study.md": _study_page,
    "README.md": _readme,
}
"""Each generated file, from the root of the repository, with what makes its text."""


def stale() -> list[str]:
    """The generated files whose text on disk is not what the code makes."""
    return [name for name, make in GENERATED.items() if _read(ROOT / name) != make()]


def write() -> list[str]:
    """Write the files that are out of date and return their names."""
    written = []
    for name, make in GENERATED.items():  # one after another, as the commands' options are read off a schema
        if _read(ROOT / name) != (text := make()):
            (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / name).write_text(text, encoding="utf-8", newline="\n")
            written.append(name)
    return written


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def main(arguments: list[str]) -> int:
    """Run the command."""
    if arguments == ["--check"]:
        old = stale()
        for name in old:
            sys.stderr.write(f"{name} is out of date: run python -m designsearch.generate\n")
        return 1 if old else 0
    if arguments:
        sys.stderr.write("usage: python -m designsearch.generate [--check]\n")
        return 2
    for name in write():
        sys.stdout.write(f"{name}: written\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
