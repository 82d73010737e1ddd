"""What a user's mistake looks like, and the one exception family that carries it.

A mistake is reported with its place, what is wrong and what to do; it never shows a traceback. A bug always does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


class UserError(Exception):
    """Something that the user can put right; the command line prints its text alone.

    Attributes:
        exit_code: the exit status of a command that ends with it (2: usage or an invalid file).
    """

    exit_code = 2


class CannotContinueError(UserError):
    """The input is well formed but the work cannot go on (refused resume, study in use, nothing measured)."""

    exit_code = 4


class OutOfBudgetError(UserError):
    """A hard cap on money, calls or time was reached."""

    exit_code = 3


MOST_PROBLEMS = 200
"""Problems of one file that are shown; whoever has more will want to see the first ones first."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in one file, with its place.

    Attributes:
        file: the name of the file as the user gave it.
        line: 1-based line, 0 where the place is the file as a whole.
        column: 1-based column, 0 where unknown.
        path: where in the document, as in ``retrieval[1].k``; empty for the document itself.
        message: what is wrong, with the limit, the value received and the valid choices.
        hint: what to do, such as a nearest valid name; empty where there is nothing to add.
        source_line: the text of that line, for the caret; empty where unknown.
    """

    file: str
    line: int
    column: int
    path: str
    message: str
    hint: str = ""
    source_line: str = ""

    def headline(self) -> str:
        """The one-line form: ``file:line:column: path: message (hint)``."""
        place = ":".join([self.file, *(str(n) for n in (self.line, self.column) if n)])
        path = f" {self.path}:" if self.path else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}:{path} {self.message}{hint}"

    def __str__(self) -> str:
        """The headline, the source line and a caret under the column."""
        if not self.source_line or not self.line:
            return self.headline()
        shown = self.source_line.replace("\t", " ")
        caret = " " * (max(self.column, 1) - 1) + "^"
        return f"{self.headline()}\n    {shown}\n    {caret}"


class InvalidFileError(UserError):
    """A design or study file with one or more mistakes, all of them listed."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(render(self.problems))


def render(problems: Iterable[Problem]) -> str:
    """All problems in the order of their places, one after another."""
    return "\n".join(str(p) for p in sorted(problems, key=lambda p: (p.file, p.line, p.column, p.path)))


def first_problems(problems: Iterable[Problem]) -> list[Problem]:
    """The problems in the order of their places; of very many the first ones, and a word that there are more."""
    ordered = sorted(problems, key=lambda p: (p.file, p.line, p.column, p.path))
    if len(ordered) <= MOST_PROBLEMS:
        return ordered
    more = Problem(ordered[0].file, 0, 0, "", f"more than {MOST_PROBLEMS} problems: the first ones are shown")
    return [more, *ordered[:MOST_PROBLEMS]]


def nearest(name: str, choices: Iterable[str]) -> str:
    """``did you mean ...?`` for the closest valid name (ignoring case, ``-`` and ``_``), else an empty string."""
    from difflib import get_close_matches

    def plain(text: str) -> str:
        return text.casefold().replace("-", "").replace("_", "")

    table = {plain(choice): choice for choice in choices}
    found = get_close_matches(plain(name), list(table), n=1, cutoff=0.6)
    return f"did you mean {table[found[0]]}?" if found else ""
