"""The page about the commands, from their own help."""

from __future__ import annotations

from collections.abc import Iterator

from designsearch.cli.app import COMMANDS, PROGRAM, load, overview
from designsearch.reference.markdown import page

STATUS = """## Exit status

| status | meaning |
| --- | --- |
| 0 | done; `diff`: no semantic change |
| 1 | `diff`: the designs mean different things |
| 2 | the command line or a file is not valid |
| 3 | stopped by a cap on money, calls or time |
| 4 | could not continue: refused resume, study in use, disk full, nothing measured, something missing |
| 130 | interrupted |

A pipe that is closed early (`| head`) ends a command quietly with 141. A mistake is told on stderr in plain words; a
traceback is a bug, please report it."""


def commands_page() -> str:
    """All commands."""
    return page("Commands", _fenced(overview()), STATUS, *_commands())


def _commands() -> Iterator[str]:
    for name in COMMANDS:
        parser, _ = load(name)
        yield f"## {PROGRAM} {name}"
        yield _fenced(parser.format_help())


def _fenced(text: str) -> str:
    return f"```text\n{text}\n```"
