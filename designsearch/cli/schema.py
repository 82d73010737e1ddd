"""Print the JSON Schema of designs or of studies.

Editors that know the YAML language server complete and check a file that begins with this line:
    # yaml-language-server: $schema=design.schema.json

Examples:
    designsearch schema -o design.schema.json
    designsearch schema study -o study.schema.json
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from designsearch.cli.parser import Namespace, Parser
from designsearch.result_files import write_result

if TYPE_CHECKING:
    from designsearch.cli.output import Output


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "kind", nargs="?", choices=("design", "study"), default="design", help="which one (default: design)"
    )
    parser.add_argument("-o", "--out", metavar="FILE", help="write it to a file")


def run(args: Namespace, out: Output) -> int:
    """Print or write a schema."""
    from designsearch.dsl.schema import design_schema, render_schema
    from designsearch.runtime.operators import load_all
    from designsearch.search.study_file import study_schema

    schema = design_schema(load_all()) if args.kind == "design" else study_schema()
    if args.out is None:
        out.document(schema)
        out.line(render_schema(schema).rstrip("\n"))
        return 0
    write_result(Path(args.out), render_schema(schema))
    out.document({"file": args.out})
    out.note(f"{args.out}: written")
    return 0
