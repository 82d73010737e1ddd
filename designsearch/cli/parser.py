"""Arguments of one command: argparse's reading of them, with messages and a help text of our own.

The help text is the same on every version of Python and on every terminal, as the reference page is made from it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from inspect import cleandoc
from textwrap import wrap
from typing import Any, NoReturn

from designsearch.dsl.problems import UserError, nearest

WIDTH = 100
INDENT = 2
_GAP = 2
_TERM = 30
"""The widest first column; a longer term stands on a line of its own."""

_WORD = "\0"
"""Marks what stands after ``--`` for argparse, which reads arguments twice and forgets it; no argument holds it."""

Namespace = argparse.Namespace


class Parser(argparse.ArgumentParser):
    """The arguments of one command.

    Args:
        prog: what the user types, as in ``designsearch eval``.
        about: one line.
        more: the command module's docstring; what follows its first paragraph is shown in the help.
    """

    def __init__(self, prog: str, about: str, more: str = "") -> None:
        super().__init__(prog=prog, description=about, add_help=False, allow_abbrev=False)
        self._usage = ""
        self._more = [_block(block) for block in cleandoc(more).split("\n\n")[1:]]
        self.shared = self.add_argument_group("output")
        self.shared.add_argument("--json", action="store_true", help="one JSON document instead of text")
        self.shared.add_argument("-q", "--quiet", action="store_true", help="the result alone")
        self.shared.add_argument("-v", "--verbose", action="store_true", help="more detail")
        self.shared.add_argument("-h", "--help", action="store_true", help="this text")

    def parse(self, arguments: Sequence[str]) -> Namespace | None:
        """Read the arguments; ``None`` where help was asked for, which is then printed.

        Raises:
            UserError: an argument is missing, unknown or wrong.
        """
        self._usage = self.usage_line()  # argparse changes the arguments while it reads options first
        options, words = _split(arguments)
        if any(word in ("-h", "--help") for word in options):
            print(self.format_help())
            return None
        known = [name for action in self._actions for name in action.option_strings]
        odd = [w for w in options if w.startswith("--") and w.partition("=")[0] not in known]
        if odd:  # told before anything that is missing: it may be what was meant
            self.error(self._unknown(odd))
        args, extra = self.parse_known_intermixed_args([*options, *(_WORD + word for word in words)])
        for name, value in vars(args).items():
            setattr(args, name, _unmarked(value))
        if extra:
            self.error(self._unknown([_unmarked(word) for word in extra]))
        return args

    def _unknown(self, extra: Sequence[str]) -> str:
        odd = next((word for word in extra if word.startswith("-")), None)
        if odd is None:
            return f"what is {extra[0]!r} for? nothing more is expected there"
        hint = nearest(odd.partition("=")[0], (name for action in self._actions for name in action.option_strings))
        return f"there is no option {odd}" + (f" ({hint})" if hint else "")

    def error(self, message: str) -> NoReturn:
        """Tell a mistake in the arguments.

        Raises:
            UserError: always.
        """
        plain = message.replace("the following arguments are required:", "missing:").removeprefix("argument ")
        raise UserError(f"{self.prog}: {plain}\n{self._usage}\n{self.prog} --help explains them")

    def usage_line(self) -> str:
        """The command with what it must be given."""
        actions = [a for a in self._actions if not a.option_strings or a.required]
        needed = sorted(actions, key=lambda a: bool(a.option_strings))
        return " ".join(["usage:", self.prog, *(_term(action) for action in needed), "[OPTIONS]"])

    def format_help(self) -> str:
        """The help text."""
        about = (self.description or "")[:1].upper() + (self.description or "")[1:] + "."
        blocks = [about, self.usage_line()]
        for group in self._sections():
            rows = [(_described(action), action.help or "") for action in group[1]]
            if rows:
                blocks.append("\n".join([group[0], *definitions(rows)]))
        return "\n\n".join([*blocks, *self._more])

    def _sections(self) -> Iterable[tuple[str, Sequence[argparse.Action]]]:
        """Arguments, options, then the named groups, those of the output last."""
        groups = {id(g): g for g in self._action_groups}
        shared = groups.pop(id(self.shared))
        for group in (*groups.values(), shared):
            title = {"positional arguments": "arguments"}.get(group.title or "", group.title or "")
            yield title, group._group_actions  # noqa: SLF001  argparse has no public list of them


def _block(text: str) -> str:
    """A block of a docstring as the help shows it: prose wrapped anew, what is indented left as it is."""
    lines = text.split("\n")
    if any(line.startswith(" ") for line in lines):
        return "\n".join(
            [lines[0].removesuffix(":").replace("Examples", "examples"), *(line[INDENT:] for line in lines[1:])]
        )
    return "\n".join(wrap(" ".join(lines), WIDTH))


def definitions(rows: Sequence[tuple[str, str]], width: int = WIDTH) -> list[str]:
    """Terms with their explanations beside them, aligned and wrapped."""
    column = min(_TERM, max((len(term) for term, _ in rows), default=0)) + _GAP
    lines = []
    for term, text in rows:
        parts = wrap(text, width - INDENT - column) or [""]
        first = f"{term:{column}}{parts[0]}" if len(term) + _GAP <= column else term
        rest = parts[1:] if len(term) + _GAP <= column else parts
        lines += [" " * INDENT + first.rstrip(), *(" " * (INDENT + column) + part for part in rest)]
    return lines


def _term(action: argparse.Action) -> str:
    """An argument as it is typed."""
    value = _value(action)
    if not action.option_strings:
        return value
    return f"{action.option_strings[-1]} {value}".rstrip()


def _described(action: argparse.Action) -> str:
    """An argument with all its names."""
    if not action.option_strings:
        return _value(action)
    return f"{', '.join(action.option_strings)} {_value(action)}".rstrip()


def _value(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    choices = "|".join(map(str, action.choices)) if action.choices else ""
    name = str(action.metavar or choices or action.dest.upper())
    return {"+": f"{name}...", "*": f"[{name}...]", "?": f"[{name}]"}.get(str(action.nargs), name)


def _split(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """What stands before ``--``, and what stands after it and is no option, whatever it begins with."""
    if "--" not in arguments:
        return arguments, ()
    end = list(arguments).index("--")
    return arguments[:end], arguments[end + 1 :]


def _unmarked(value: Any) -> Any:
    if isinstance(value, list):
        return [_unmarked(one) for one in value]
    return value.removeprefix(_WORD) if isinstance(value, str) else value
