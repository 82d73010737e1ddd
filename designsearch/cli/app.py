"""Find the command that was asked for, load it alone, run it, and turn what can go wrong into an exit status."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from designsearch.cli.parser import Parser

PROGRAM = "designsearch"
ABOUT = "Find the memory design that works for your agent's own history."

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it: 128 + SIGINT."""

READER_GONE = 141
"""Exit status where whoever read the output closed it (``| head``): 128 + SIGPIPE."""


class Command(NamedTuple):
    """One line of the overview; the command itself is the module ``designsearch.cli.NAME``, ``_`` for a space."""

    name: str
    about: str


GROUPS: dict[str, tuple[Command, ...]] = {
    "start": (
        Command("init", "write a commented design and study to begin with"),
        Command("doctor", "check what the program needs, with the command that brings what is missing"),
        Command("ingest", "turn mail, documents, chats or a data set into a history to work with"),
    ),
    "write designs": (
        Command("validate", "check design and study files; shows every problem with its place"),
        Command("diff", "compare the meaning of two designs, or show how a study got to its best"),
        Command("ops", "list what designs are made of: operators, features, their parameters"),
        Command("schema", "print the JSON Schema of designs or studies, for editors"),
    ),
    "use and measure them": (
        Command("supervise", "make questions with evidence from a history that nobody has labelled"),
        Command("ask", "ask a history one question: answer, context, and what each stage kept"),
        Command("eval", "measure designs on questions: evidence, answers, tokens, time"),
        Command("diagnose", "say what makes a design fail: storage, retrieval or answering"),
    ),
    "search": (
        Command("run", "run a study: propose revisions, measure them, keep what is better"),
        Command("log", "show the trials of a study, each with what was decided and why"),
        Command("export", "write a design of a study to a file"),
        Command("frontier", "show the designs of a study that nothing else beats"),
    ),
    "memory policies": (
        Command("policy train", "fit the policy learned on questions with evidence"),
        Command("policy rollout", "play the policy of a design and write its episodes"),
        Command("policy score", "score every step of episodes by the rule"),
        Command("policy eval", "measure a learned policy against all that it must beat"),
        Command("policy pairs", "make training data of reward models from episodes"),
    ),
    "look after": (
        Command("cache", "show, thin out or empty the cache"),
        Command("forget", "remove a record with all that was derived from it, and prove it"),
    ),
}
"""The commands that work, in the order of the overview."""

COMMANDS = {command.name: command for group in GROUPS.values() for command in group}


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit status.

    A user's mistake is told in its own words on stderr; a bug raises, so that its traceback shows.
    """
    from designsearch.cli.streams import discard_output, prepare_streams

    prepare_streams()
    try:
        status = _dispatch(list(arguments))
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        discard_output()
        return READER_GONE
    except OSError as error:
        return _system_failed(error)
    except Exception as error:
        from designsearch.dsl.problems import UserError

        if not isinstance(error, UserError):
            raise
        print(_shown(error), file=sys.stderr)
        return error.exit_code
    return status


def _dispatch(arguments: list[str]) -> int:
    if not arguments:
        print(overview())
        return 2
    name, rest = arguments[0], arguments[1:]
    if name in ("-h", "--help"):
        print(overview())
        return 0
    if name in ("-V", "--version"):
        from importlib.metadata import version

        print(f"{PROGRAM} {version(PROGRAM)}")
        return 0
    if rest and f"{name} {rest[0]}" in COMMANDS:
        name, rest = f"{name} {rest[0]}", rest[1:]
    if rest[:1] in (["-h"], ["--help"]) and (group := group_overview(name)):
        print(group)
        return 0
    if name not in COMMANDS:
        raise _no_such_command(name, rest)
    from designsearch.cli.output import Output

    parser, module = load(name)
    args = parser.parse(rest)
    if args is None:
        return 0
    status = module.run(args, Output(json=args.json, quiet=args.quiet, verbose=args.verbose))
    return int(status)


def load(name: str) -> tuple[Parser, ModuleType]:
    """The parser and the module of one command."""
    from importlib import import_module

    from designsearch.cli.parser import Parser

    module = import_module(f"designsearch.cli.{name.replace(' ', '_')}")
    parser = Parser(f"{PROGRAM} {name}", COMMANDS[name].about, module.__doc__ or "")
    module.configure(parser)
    return parser, module


def overview() -> str:
    """The text of ``designsearch --help``."""
    width = max(map(len, COMMANDS)) + 2
    lines = [ABOUT, "", "usage", f"  {PROGRAM} COMMAND [ARGUMENTS]"]
    for title, group in GROUPS.items():
        lines += ["", title, *(f"  {command.name:{width}}{command.about}" for command in group)]
    lines += ["", f"{PROGRAM} COMMAND --help explains a command; {PROGRAM} --version tells the version."]
    return "\n".join(lines)


def group_overview(name: str) -> str:
    """The text of ``--help`` of commands that share their first word; empty where none begins with it."""
    found = {title: [one for one in group if one.name.startswith(f"{name} ")] for title, group in GROUPS.items()}
    width = max((len(one.name) for group in found.values() for one in group), default=0) + 2
    lines = []
    for title, group in found.items():
        if group:
            lines += [f"usage: {PROGRAM} {name} COMMAND [ARGUMENTS]", "", title]
            lines += [f"  {one.name:{width}}{one.about}" for one in group]
            lines += ["", f"{PROGRAM} {group[0].name} --help explains a command."]
    return "\n".join(lines)


def _no_such_command(name: str, rest: Sequence[str] = ()) -> Exception:
    from designsearch.dsl.problems import UserError, nearest

    parts = [command.partition(" ")[2] for command in COMMANDS if command.startswith(f"{name} ")]
    if parts:
        said = (
            f"there is no {name} {rest[0]}"
            if rest and not rest[0].startswith("-")
            else f"{name} needs to know what to do"
        )
        return UserError(f"{PROGRAM}: {said}: {', '.join(parts)}; {PROGRAM} {name} {parts[0]} --help explains one")
    what = f"there is no option {name} here" if name.startswith("-") else f"there is no command {name!r}"
    hint = "" if name.startswith("-") else nearest(name, COMMANDS)
    return UserError(f"{PROGRAM}: {what}" + (f" ({hint})" if hint else "") + f"; {PROGRAM} --help lists the commands")


def _shown(error: BaseException) -> str:
    text = str(error)
    return text if text else type(error).__name__


def _system_failed(error: OSError) -> int:
    """The system refused something that no command foresaw, such as writing to a full disk."""
    from errno import EDQUOT, EFBIG, ENOSPC, EROFS

    from designsearch.cli.streams import discard_output

    if error.errno not in (ENOSPC, EDQUOT, EFBIG, EROFS):
        raise error
    discard_output()
    place = f"{error.filename}: " if error.filename else "the output "
    print(f"{place}cannot be written: {(error.strerror or str(error)).lower()}", file=sys.stderr)
    return 4
