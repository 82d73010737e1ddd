"""Write a design and a study to begin with.

Both files are commented and valid; nothing that exists is overwritten. Where a history is named, it is looked at and
written into the study. Where neither it brings questions nor a file of them is named, the study has them made from it.

Examples:
    designsearch init
    designsearch init my-memory --history chats.jsonl --questions questions.jsonl
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from designsearch.cli.parser import Namespace, Parser
from designsearch.dsl.problems import UserError
from designsearch.result_files import write_result

if TYPE_CHECKING:
    from designsearch.cli.output import Output

GENERATED = "{generate: {count: 200}}"
"""What a study says that has its questions made from its history."""


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("folder", nargs="?", default=".", metavar="DIR", help="where to write (default: here)")
    parser.add_argument("--history", metavar="PATH[#NAME]", help="the history that the study is about")
    parser.add_argument(
        "--questions", metavar="FILE", help="questions about it (default: those that it brings, else some made from it)"
    )


def run(args: Namespace, out: Output) -> int:
    """Write both files."""
    from designsearch.search.new_folder import check_makable, make_folder

    folder = Path(args.folder)
    texts = {"design.yaml": _design(folder), "study.yaml": _study(args, folder)}
    taken = [str(folder / name) for name in texts if (folder / name).exists()]
    if taken:
        raise UserError(f"{', '.join(taken)}: exists already and is not overwritten; name another folder")
    check_makable(folder)
    make_folder(folder)
    for name, text in texts.items():
        write_result(folder / name, text)
        out.line(str(folder / name))
    out.document({"files": [str(folder / name) for name in texts]})
    out.note("\n".join(_next(args, folder)))
    return 0


def _next(args: Namespace, folder: Path) -> list[str]:
    design, study = folder / "design.yaml", folder / "study.yaml"
    history = args.history or "HISTORY"
    first = [] if args.history else [f"  put the path of your history into {study}"]
    return [
        "",
        "what to do next",
        *first,
        f"  designsearch validate {design} {study}",
        f'  designsearch ask {design} --history {history} "..."',
        f"  designsearch run {study}",
    ]


def _design(folder: Path) -> str:
    from designsearch.cli.starters import DESIGN

    return DESIGN.format(schema=_schema("design", folder))


def _study(args: Namespace, folder: Path) -> str:
    from designsearch.cli.starters import STUDY

    history, questions = args.history or "history.jsonl", GENERATED
    if args.history:
        from designsearch.inputs import open_histories

        if any(dataset.questions for dataset in open_histories([args.history])):
            questions = "official"
        path, mark, name = args.history.rpartition("#")
        if mark and not Path(args.history).exists():
            history = f"{_from(folder, path)}#{name}"
        else:
            history = _from(folder, args.history)
    if args.questions:
        questions = _quoted(_from(folder, args.questions))
    name = folder.resolve().name
    study = "".join(c if c.isascii() and (c.isalnum() or c in "_.-") else "-" for c in name).strip("-._") or "study"
    return STUDY.format(schema=_schema("study", folder), study=study, history=_quoted(history), questions=questions)


def _from(folder: Path, path: str) -> str:
    """A path as written in a file of the folder."""
    if Path(path).is_absolute():
        return path
    return Path(os.path.relpath(path, folder)).as_posix()


def _quoted(text: str) -> str:
    import json

    plain = text.replace("/", "").replace("_", "").replace("-", "").replace(".", "")
    return text if plain.isascii() and plain.isalnum() else json.dumps(text, ensure_ascii=False)


def _schema(kind: str, folder: Path) -> str:
    """Where an editor finds the schema: beside the installed package."""
    from designsearch import dsl

    return (Path(str(dsl.__file__)).resolve().parent / f"{kind}.schema.json").as_uri()
