"""Check design and study files, and files of models.

Every problem is shown with its file, line, column and path, the line itself and a caret; nothing is run. Files of
weights that a design names are read too, and compared with its views. The status is 0 where all files are valid, else
2.

Examples:
    designsearch validate design.yaml study.yaml
    designsearch validate 'designs/**/*.yaml'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any

from designsearch import figures
from designsearch.cli.parser import Namespace, Parser
from designsearch.dsl.problems import InvalidFileError, Problem, UserError, render

if TYPE_CHECKING:
    from designsearch.cli.output import Output

INVALID = 2


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", nargs="+", metavar="FILE", help="a design or study file, or a pattern such as '*.yaml'")


def run(args: Namespace, out: Output) -> int:
    """Check every file."""
    checked = [_check(path) for path in _expand(args.file)]
    wrong = [one for one in checked if not one["ok"]]
    for one in checked:
        if one["ok"]:
            if not out.quiet:
                named = f" ({one['name']})" if one["name"] else ""
                out.line(f"{one['file']}: ok, {one['kind']} {one['hash'] or ''}".rstrip() + named)
        else:
            out.line(render(one["found"]))
    if len(checked) > 1 or wrong:
        problems = figures.number_of(sum(len(one["found"]) for one in checked), "problem")
        out.note(f"{len(checked) - len(wrong)} of {figures.number_of(len(checked), 'file')} valid, {problems}")
    out.document({"ok": not wrong, "files": [_plain(one) for one in checked]})
    return INVALID if wrong else 0


def _check(path: str) -> dict[str, Any]:
    """What there is to say about one file."""
    from designsearch.inputs import is_models_file, is_study_file, open_design
    from designsearch.runtime.named_file_checks import check_named_files
    from designsearch.search.study_file import read_study

    said: dict[str, Any] = {"file": path, "kind": None, "ok": True, "hash": None, "name": "", "found": ()}
    try:
        if is_study_file(Path(path)):
            said["kind"] = "study"
            study = read_study(path)
            said["name"] = study.name
            base = study.path(study.shape.base)
            if base.is_file():
                check_named_files(open_design(base))
        elif is_models_file(Path(path)):
            from designsearch.crew import read_models

            said["kind"] = "models"
            read_models(path)
        else:
            said["kind"] = "design"
            design = open_design(Path(path))
            check_named_files(design)
            said |= {"hash": design.hash, "name": design.name}
    except InvalidFileError as error:
        said |= {"ok": False, "found": error.problems}
    return said


def _plain(said: dict[str, Any]) -> dict[str, Any]:
    problems = [
        {"line": p.line, "column": p.column, "path": p.path, "message": p.message, "hint": p.hint}
        for p in sorted(said["found"], key=_place)
    ]
    return {key: said[key] for key in ("file", "kind", "ok", "hash", "name")} | {"problems": problems}


def _place(problem: Problem) -> tuple[int, int, str]:
    return problem.line, problem.column, problem.path


def _expand(patterns: Sequence[str]) -> Iterator[str]:
    """Files by name; patterns that no shell has expanded are expanded here."""
    for pattern in dict.fromkeys(patterns):
        if Path(pattern).exists() or not any(c in pattern for c in "*?["):
            yield pattern
            continue
        found = sorted(glob(pattern, recursive=True))  # noqa: PTH207  a Path pattern cannot be absolute
        if not found:
            raise UserError(f"{pattern}: no file fits this pattern")
        yield from found
