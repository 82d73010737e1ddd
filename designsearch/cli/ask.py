"""Ask a history one question through a design.

Shown are what each stage of the cascade kept, with its best hits and its time, and each step of a memory policy; the
context; and the answer. With -q the answer alone; with -v the texts of the best hits. With --models a model answers;
what is sent where is said.

Examples:
    designsearch ask design.yaml --history chats.jsonl "When do we fly to Lisbon?"
    designsearch ask design.yaml --history chats.jsonl --models models.yaml "When do we fly to Lisbon?"
    designsearch ask berlin@best --history chats.jsonl --as-of 2025-03-01 "What is due this week?"
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from designsearch import figures
from designsearch.cli import episode_table
from designsearch.cli.costs_table import costs_json, show_costs
from designsearch.cli.options import DESIGN, add_budget, add_history, add_models, add_set
from designsearch.cli.parser import Namespace, Parser
from designsearch.cli.streams import typed_text
from designsearch.cli.tables import one_line, table
from designsearch.dsl.problems import CannotContinueError

if TYPE_CHECKING:
    from designsearch.asking import Asked, StageTrace
    from designsearch.cli.output import Output
    from designsearch.episode_trace import EpisodeTrace

NO_ANSWER = "(the context does not hold an answer)"


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("design", metavar="DESIGN", help=DESIGN)
    parser.add_argument("question", metavar="QUESTION", help="in the user's words")
    parser.add_argument("--as-of", metavar="TIME", help="ask as of then: nothing known later is used")
    add_budget(parser)
    add_set(parser)
    add_models(parser)
    add_history(parser, several=False)


def run(args: Namespace, out: Output) -> int:
    """Ask and show."""
    from designsearch.asking import ask
    from designsearch.crew import crew
    from designsearch.inputs import open_design, open_one_history, roles_for
    from designsearch.runtime.cache import Cache, default_folder

    design = open_design(args.design, args.set)
    dataset = open_one_history(args.history, args.format, args.sources)
    with crew(args.models, roles_for([design], "answerer"), out.note) as models:
        asked = ask(
            design,
            dataset,
            typed_text(args.question),
            budget=args.context_budget,
            answers=models.answerer(),
            services=models.services(Cache(default_folder())),
            as_of=args.as_of,
        )
        costs = models.costs()
    for note in asked.notes:
        about_questions = "question" in note or "evidence" in note  # which do not matter here
        (out.detail if about_questions else out.note)(f"{dataset.name}: {note}")
    head = {"design": design.name, "design_hash": design.hash, "history": dataset.name}
    out.document(head | dict(asked.to_json()) | ({"costs": costs_json(costs)} if args.models else {}))
    _show(asked, out)
    show_costs(costs, out)
    if asked.answer.failure:
        raise CannotContinueError(f"{asked.answerer} failed to answer: {asked.answer.failure}")
    return 0


def _show(asked: Asked, out: Output) -> None:
    if not out.quiet:
        _show_trace(asked, out)
        out.gap()
        tokens, shown = (
            figures.count(asked.context.tokens, "tokens"),
            figures.number_of(len(asked.context.units), "unit"),
        )
        out.heading(f"context: {tokens}, {shown}, built in {figures.seconds(asked.context_seconds)}")
        out.line(asked.context.text or "(empty)")
        out.gap()
        out.heading(f"answer, by {asked.answerer} in {figures.seconds(asked.answer.seconds)}")
    if not asked.answer.failure:
        out.line(asked.answer.text or NO_ANSWER)


def _show_trace(asked: Asked, out: Output) -> None:
    records, units = figures.number_of(asked.records, "record"), figures.number_of(asked.units, "unit")
    out.heading(f"retrieval: {records} stored as {units}; opened in {figures.seconds(asked.opening_seconds)}")
    rows = [
        (stage.path, stage.op, figures.count(stage.kept), figures.seconds(stage.seconds), _best(stage))
        for stage in asked.stages
    ]
    out.table(table("stage", "operator", ">kept", ">time", "best hits*", rows=rows))
    for one in _played(asked.stages):
        out.gap()
        out.heading(episode_table.heading(one))
        out.table(episode_table.steps(one))
    if not out.verbose:
        return
    for stage in asked.stages:
        for hit in stage.top:
            score = "" if hit.score is None else f" {hit.score:.4g}"
            out.line(f"{stage.path} {' '.join(hit.records)}{score}: {one_line(hit.text, 160)}")


def _played(stages: Sequence[StageTrace]) -> Iterator[StageTrace | EpisodeTrace]:
    """The stages that are memory policies, and those inside stages."""
    for stage in stages:
        if stage.episode:
            yield stage
        yield from stage.nested


def _best(stage: StageTrace) -> str:
    if stage.queries:
        return "searches for: " + "; ".join(one_line(query, 60) for query in stage.queries)
    return ", ".join("+".join(hit.records) for hit in stage.top)
