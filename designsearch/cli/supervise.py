"""Make questions with answers and evidence from a history that nobody has labelled.

What is made goes to a folder: train.jsonl, validation.jsonl and locked.jsonl are files of questions as eval and studies
read them (--questions FOLDER/train.jsonl; in a study questions: FOLDER, whose files are then its parts). No two parts
share a record. rejected.jsonl says what was lost and why, items.jsonl holds plans and cited passages, funnel.json the
figures. A source with several histories gives each a folder of its own within FOLDER.

Without --models rules make and check the questions: dates, amounts, names and what connects them. With a model in the
role planner, reviewer or reader (see the block models of a study) that model does; what each took is shown.

It can be stopped at any moment: --resume goes on after the last finished item and gives the same questions. Questions
that the source brings are never repeated and serve nothing else.

The status is 0 where it is done, also where the history gives fewer questions than asked for, which is said; 3 where
it stopped by money or calls, 4 where it could not go on or not one question could be made.

Examples:
    designsearch supervise chats.jsonl -o questions/
    designsearch supervise chats.jsonl -o questions/ --count 50 --seed 7
    designsearch supervise chats.jsonl -o questions/ --models models.yaml --resume
    designsearch supervise mail.jsonl -o questions/ --export all.jsonl --pairs pairs.jsonl
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from designsearch.cli.options import add_models, positive, words
from designsearch.cli.parser import Namespace, Parser
from designsearch.cli.settings_options import add_settings, settings_of
from designsearch.dsl.problems import UserError
from designsearch.result_files import check_writable, write_result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designsearch.cli.output import Output
    from designsearch.search.supervision.outcome import Supervision

NOTHING_MADE = 4
"""Exit status where not one question could be made."""


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("history", metavar="HISTORY[#NAME]", help="a history file or folder")
    parser.add_argument("-o", "--out", required=True, metavar="FOLDER", help="where the questions go")
    parser.add_argument("--format", default="auto", help="format of the history (default: auto, which finds out)")
    parser.add_argument(
        "--sources", type=words, action="extend", metavar="NAME,...", help="keep only records from these sources"
    )
    parser.add_argument("--resume", action="store_true", help="go on where this was left in FOLDER")
    parser.add_argument(
        "--jobs", type=positive, default=1, metavar="N", help="processes, where rules do it (default: 1)"
    )
    add_models(parser)
    add_settings(parser, "SupervisionSettings", "questions")
    group = parser.add_argument_group("for other optimisers; locked questions are left out")
    group.add_argument("--export", metavar="FILE", help="also write questions, answers, evidence and quotes there")
    group.add_argument("--pairs", metavar="FILE", help="also write pairs of question and answer alone there")


def run(args: Namespace, out: Output) -> int:
    """Make them, and account for them."""
    from designsearch.cli.supervise_tables import show
    from designsearch.search.supervision.settings import SupervisionSettings
    from designsearch.supervising import Audience, supervise

    settings = settings_of(args, SupervisionSettings)
    _check(args)

    def follow(name: str) -> AbstractContextManager[Any]:
        return out.counts(name, settings.count)

    try:
        made = supervise(
            args.history,
            args.out,
            settings,
            format=args.format,
            sources=args.sources,
            models=args.models,
            resume=args.resume,
            jobs=args.jobs,
            audience=Audience(out, out.note, follow),
        )
    except KeyboardInterrupt:
        out.note("all that was finished is kept; --resume goes on")
        raise
    show(made, out)
    _export(args, made, out)
    out.document({name: {"folder": str(one.folder), **one.report} for name, one in made.items()})
    return 0 if any(one.questions for one in made.values()) else NOTHING_MADE


def _check(args: Namespace) -> None:
    """Find out, before anything is made, whether exports may be written."""
    targets = [Path(target) for target in (args.export, args.pairs) if target is not None]
    for target in targets:
        check_writable(target)
        if target.exists() and not args.resume:
            raise UserError(f"{target}: exists already and is not overwritten; name another file")
    if len({target.resolve() for target in targets}) < len(targets):
        raise UserError(f"{targets[0]}: --export and --pairs cannot go into the same file")


def _export(args: Namespace, made: Mapping[str, Supervision], out: Output) -> None:
    from designsearch.search.supervision.exports import pairs_lines, questions_lines

    for target, lines in ((args.export, questions_lines), (args.pairs, pairs_lines)):
        if target is not None:
            text = lines(made)
            if Path(target).is_file() and Path(target).read_bytes() != text.encode("utf-8"):
                raise UserError(f"{target}: exists already, holds something else, and is not overwritten; name another")
            write_result(Path(target), text)
            out.note(f"{target}: {text.count(chr(10)):,} lines, locked questions left out")
