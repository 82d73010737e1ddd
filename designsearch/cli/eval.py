"""Measure designs on questions about a history.

Of each design: evidence_coverage (share of questions with all their evidence in the context), evidence_recall,
answer_recall (share of the gold answer's words in the context), accuracy and F1 of the answers, tokens of context,
and the time of one question asked alone. A design that stores one speaker only is also measured with everybody's
text. Beside the designs stand references within the same budget: the evidence itself (oracle), the whole history cut
off (whole), the newest records (recent), and chance (random). Several designs are compared question by question with
the first. Of a memory policy its actions, the tokens that it read, and the share of the evidence that it found and
noted are shown beside what the context holds and what was answered; --out has its steps. With --models a model answers
and another one judges what no rule can compare; what each took is shown.

Examples:
    designsearch eval design.yaml --history chats.jsonl --questions questions.jsonl
    designsearch eval a.yaml b.yaml --history data/set --where type=fact --out results.jsonl
    designsearch eval a.yaml --history chats.jsonl --questions q.jsonl --models models.yaml
    designsearch eval design.yaml --history chats.jsonl --questions q.jsonl --set retrieval[0].k=50
    designsearch eval designs/*.yaml --history data/set --questions official --against generated/
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from designsearch import figures
from designsearch.cli.costs_table import costs_json, show_costs
from designsearch.cli.options import DESIGN, add_budget, add_history, add_models, add_questions, add_set, natural
from designsearch.cli.parser import Namespace, Parser
from designsearch.dsl.problems import CannotContinueError, UserError
from designsearch.result_files import check_target, write_result

if TYPE_CHECKING:
    from designsearch.cli.output import Output
    from designsearch.evaluation import Measured
    from designsearch.search.evaluate import Task


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("designs", nargs="+", metavar="DESIGN", help=DESIGN)
    add_budget(parser)
    add_set(parser)
    add_models(parser)
    parser.add_argument(
        "--against",
        metavar="PATH",
        help="score the designs on these questions too, a file or a folder of supervise, and compare the two orders",
    )
    parser.add_argument("--out", metavar="FILE", help="write one JSON line a question and design")
    parser.add_argument("--no-answers", action="store_true", help="measure the contexts alone")
    parser.add_argument("--no-references", action="store_true", help="leave the references out")
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="of intervals and chance (default: 0)")
    add_history(parser, several=True)
    add_questions(parser)


def run(args: Namespace, out: Output) -> int:
    """Measure, show, and write the results."""
    from designsearch.against import against
    from designsearch.crew import crew
    from designsearch.evaluation import judging, measure_all
    from designsearch.inputs import open_designs, roles_for
    from designsearch.runtime.cache import Cache, default_folder
    from designsearch.search.evaluate import Runner

    if args.out is not None:
        read = (*args.designs, *args.history, args.questions, *filter(None, (args.models, args.against)))
        check_target(Path(args.out), *read)
    designs = open_designs(args.designs, args.set)
    tasks = load_tasks(args, out)
    others = _others(args, tasks, len(designs))
    roles = roles_for(designs, *(() if args.no_answers else ("answerer", "judge")))
    with crew(args.models, roles, out.note) as models:
        runner = Runner(args.context_budget, models.services(Cache(default_folder())), args.history_view)
        if not args.no_answers:
            runner.answerer, runner.judge = models.answerer(), models.judge()
        with out.progress("measuring") as tell:
            rows = measure_all(designs, tasks, runner, references=not args.no_references, seed=args.seed, tell=tell)
            judge = judging(rows, tasks, runner, seed=args.seed)
            second = against(rows, args.against, others, runner, seed=args.seed, tell=tell) if others else None
        costs = models.costs()
    if not any(summary.count for row in rows for summary in row.report.metrics.values()):
        raise CannotContinueError(
            "nothing could be measured: no question has evidence or an answer that can be compared"
        )
    if args.out is not None:
        _write(Path(args.out), rows)
    setting = _setting(args, tasks, runner)
    from designsearch.cli.eval_against import show_against
    from designsearch.cli.eval_tables import as_json, show

    further = {"costs": costs_json(costs)} if args.models else {}
    out.document(as_json(rows, setting, judge) | further | ({"against": second.to_json()} if second else {}))
    show(rows, setting, judge, out)
    if second is not None:
        show_against(second, out)
    show_costs(costs, out)
    if not out.json and any(_misses(row) for row in rows if row.kind == "design"):
        out.note("\ndesignsearch diagnose, with the same arguments, says where the missing evidence is lost")
    if args.out is not None:
        out.note(f"\n{args.out}: {figures.number_of(sum(len(r.results) for r in rows if r.kind == 'design'), 'line')}")
    return 0


def load_tasks(args: Namespace, out: Output) -> list[Task]:
    """The histories and questions that the arguments name; what is odd about them is noted.

    Raises:
        CannotContinueError: no question is left to ask.
    """
    from designsearch.inputs import open_histories, open_tasks

    datasets = open_histories(args.history, args.format, args.sources)
    tasks, notes = open_tasks(datasets, args.questions, args.where)
    for note in notes:
        out.note(note)
    if not tasks:
        raise CannotContinueError(
            "no question is left to ask: " + ("loosen --where" if args.where else "there are none")
        )
    return tasks


def _others(args: Namespace, tasks: Sequence[Task], designs: int) -> list[Task]:
    """The questions to compare with; none where none are named."""
    from designsearch.inputs import open_other_questions

    if args.against is None:
        return []
    if designs < 2:
        raise UserError("--against compares the order of designs; name two or more")
    if not any(question.evidence for task in tasks for question in task.questions):
        raise UserError("--against compares evidence coverage, and no question of --questions has evidence")
    return open_other_questions([task.dataset for task in tasks], Path(args.against))


def _setting(args: Namespace, tasks: Sequence[Task], runner: Any) -> dict[str, Any]:
    return {
        "histories": {task.name: {"records": len(task.full), "questions": len(task.questions)} for task in tasks},
        "questions": sum(len(task.questions) for task in tasks),
        "where": args.where,
        "sources": args.sources,
        "context_budget": args.context_budget,
        "history_view": args.history_view,
        "answerer": runner.answerer.name if runner.answerer else None,
        "replicates": runner.answerer.replicates if runner.answerer else None,
        "counter": runner.services.counter.name,
        "seed": args.seed,
    }


def _misses(row: Measured) -> bool:
    found = row.report.metrics.get("evidence_coverage")
    return found is not None and found.mean is not None and found.mean < 1


def _write(path: Path, rows: Sequence[Measured]) -> None:
    """The results of the designs as given, design after design; gold answers are never in them."""
    import json

    lines = [json.dumps(line, ensure_ascii=False) for row in rows if row.kind == "design" for line in _lines(row)]
    write_result(path, "".join(f"{line}\n" for line in lines))


def _lines(row: Measured) -> Iterator[dict[str, Any]]:
    """The results of a design, each with what its memory policies did."""
    from designsearch.play import by_question

    episodes = by_question(row.played)
    for result in row.results:
        own = [play.to_json() for play in episodes.get(result.key, ())]
        yield result.to_json() | ({"episodes": own} if own else {})
