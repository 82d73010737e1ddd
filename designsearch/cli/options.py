"""Options that several commands share, declared once."""

from __future__ import annotations

from argparse import ArgumentTypeError

from designsearch.cli.parser import Parser

MOST_NOTE_TOKENS = 10_000_000
"""More than the notes of any policy hold; of larger numbers nothing is found that fits."""

DESIGN = "a design file, or STUDY@N, STUDY@base, STUDY@best"


def add_set(parser: Parser) -> None:
    """``--set path=value``."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="PATH=VALUE",
        help="change a setting of the design for this run, as in retrieval[0].k=50; may be repeated",
    )


def add_history(parser: Parser, *, several: bool) -> None:
    """``--history``, ``--format`` and ``--sources``."""
    group = parser.add_argument_group("history")
    group.add_argument(
        "--history",
        required=True,
        metavar="PATH[#NAME]",
        action="append" if several else "store",
        help="a history file or folder; #NAME takes one history out of a set" + ("; may be repeated" * several),
    )
    group.add_argument("--format", default="auto", help="format of the history (default: auto, which finds out)")
    group.add_argument(
        "--sources",
        type=words,
        action="extend",
        metavar="NAME,...",
        help="keep only records from these sources, as in conversation,email",
    )


def add_budget(parser: Parser) -> None:
    """``--context-budget``."""
    parser.add_argument(
        "--context-budget", type=positive, default=4000, metavar="N", help="the most tokens of context (default: 4000)"
    )


def add_questions(parser: Parser, *, view: bool = True) -> None:
    """``--questions``, ``--where``, and with ``view`` ``--history-view``."""
    group = parser.add_argument_group("questions")
    group.add_argument(
        "--questions",
        default="official",
        metavar="FILE",
        help="a file of questions; official (the default) takes those that the data set brings",
    )
    group.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="FILTER=VALUE",
        help="ask only some: type=fact,temporal, evidence=conversation or answerable=true; may be repeated",
    )
    if view:
        group.add_argument(
            "--history-view",
            choices=("all", "as_of"),
            default="all",
            help="as_of hides from a question what was known only after it was asked (default: all)",
        )


def add_models(parser: Parser) -> None:
    """``--models``."""
    parser.add_argument(
        "--models",
        metavar="FILE",
        help="a file with the models of a study (default: rules, which need no model)",
    )


def positive(text: str) -> int:
    """A whole number from 1 on."""
    return at_least(text, 1)


def natural(text: str) -> int:
    """A whole number from 0 on."""
    return at_least(text, 0)


def note_tokens(text: str) -> int:
    """Tokens of a policy's notes: a whole number within what a history can bring.

    Raises:
        ArgumentTypeError: it is no such number.
    """
    value = positive(text)
    if value > MOST_NOTE_TOKENS:
        raise ArgumentTypeError(f"must be at most {MOST_NOTE_TOKENS:,}, not {text!r}")
    return value


def at_least(text: str, least: int) -> int:
    """A whole number that is not below a limit.

    Raises:
        ArgumentTypeError: it is no such number.
    """
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least:
        raise ArgumentTypeError(f"must be a whole number from {least} on, not {text!r}")
    return value


def words(text: str) -> list[str]:
    """Words between commas."""
    return [word.strip() for word in text.split(",") if word.strip()]
