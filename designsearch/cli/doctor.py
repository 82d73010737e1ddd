"""Check what the program needs on this machine.

Each thing that is missing is shown with the command that brings it. The status is 0 where nothing is missing, else 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from designsearch.cli.parser import Namespace, Parser
from designsearch.cli.tables import table

if TYPE_CHECKING:
    from designsearch.cli.output import Output

SOMETHING_MISSING = 4


def configure(parser: Parser) -> None:
    """It takes no arguments of its own."""


def run(args: Namespace, out: Output) -> int:
    """Make every check."""
    from designsearch.checkup import check_all

    found = check_all()
    missing = [one for one in found if one.state == "missing"]
    shown = missing if out.quiet else found
    out.document({"ok": not missing, "checks": [one._asdict() for one in found]})
    if shown:
        out.table(table("", "what", "found*", rows=[(one.state, one.what, one.found) for one in shown]))
    advice = [one for one in found if one.fix]
    if advice:
        out.gap()
        out.heading("what to do")
        for one in advice:
            out.line(f"  {one.what}: {one.fix}")
    return SOMETHING_MISSING if missing else 0
