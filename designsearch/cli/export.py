"""Write a design of a study to a file.

STUDY@best is the last accepted revision, STUDY@base the design that the study began with, STUDY@3 the third accepted
revision. The file says in its first lines where the design comes from, revision by revision; --name gives it a name of
its own. A file that the design reads, such as a policy's weights, stays where it is, and the path to it is written as
seen from the new file.

Examples:
    designsearch export berlin@best -o memory.yaml
    designsearch export study.yaml@2
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from designsearch.cli.parser import Namespace, Parser
from designsearch.dsl.problems import UserError
from designsearch.result_files import check_writable, write_result

if TYPE_CHECKING:
    from designsearch.cli.output import Output

_BASE = "000-"
"""How the file of revision 0 begins, which no search has found."""


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("design", metavar="STUDY@WHICH", help="STUDY@best, STUDY@base or STUDY@N")
    parser.add_argument("-o", "--out", metavar="FILE", help="where to write it (default: standard output)")
    parser.add_argument("--name", metavar="NAME", help="the design's own name (default: that of the base)")
    parser.add_argument("--force", action="store_true", help="write over a file that exists")


def run(args: Namespace, out: Output) -> int:
    """Find and write it."""
    from designsearch.dsl.relocate import named_files, relocated
    from designsearch.inputs import open_design
    from designsearch.search.revisions import found, named, with_lineage, with_schema
    from designsearch.search.study_refs import revision_file

    path = revision_file(args.design)
    text, design = with_lineage(path), open_design(path)
    if args.name is not None:
        text = named(text, args.name)
    elif design.about and not path.name.startswith(_BASE):
        text = found(text)
    text = relocated(design, Path(args.out).parent if args.out else Path(), text)
    if args.out is None:
        out.line(text.rstrip("\n"))
    else:
        target = Path(args.out)
        check_writable(target)
        if target.exists() and not args.force:
            raise UserError(f"{target}: exists already and is not overwritten; name another file, or add --force")
        write_result(target, with_schema(text, target.parent))
        out.note(f"{target}: {args.name or design.name or 'design'} {design.hash}")
    for file in named_files(design):
        out.note(f"it reads {os.path.relpath(file)}: where the design goes, that file goes too")
    out.document({"design_hash": design.hash, "file": args.out, "text": text})
    return 0
