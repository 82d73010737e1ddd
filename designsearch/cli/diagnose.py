"""Say what makes a design fail on questions, and where.

A failed question is blamed on storage (a gold record is in no stored unit), else on retrieval (it was not retrieved,
was cut by a later stage or by the budget, or is shown altered; a policy stopped before it found it, or kept no note of
it), else on answering. With --objective evidence_coverage, the default, a question fails where evidence is missing from
its context; with accuracy, where its answer is wrong. Examples show the steps of a memory policy, --json those of all
failures. --counterfactual repairs one thing at a time and says which repair turns a wrong answer right. With --models a
model answers and another one judges.

Examples:
    designsearch diagnose design.yaml --history chats.jsonl --questions questions.jsonl
    designsearch diagnose design.yaml --history chats.jsonl --questions questions.jsonl --counterfactual
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from designsearch.cli.costs_table import costs_json, show_costs
from designsearch.cli.diagnose_tables import show
from designsearch.cli.eval import load_tasks
from designsearch.cli.options import DESIGN, add_budget, add_history, add_models, add_questions, add_set, natural
from designsearch.cli.parser import Namespace, Parser
from designsearch.dsl.problems import CannotContinueError

if TYPE_CHECKING:
    from designsearch.cli.output import Output
    from designsearch.dsl.design import Design
    from designsearch.play import Play, Played
    from designsearch.search.contracts import Failure
    from designsearch.search.counterfactual import Repaired
    from designsearch.search.evaluate import Runner, Task


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("design", metavar="DESIGN", help=DESIGN)
    parser.add_argument(
        "--objective",
        choices=("evidence_coverage", "accuracy"),
        default="evidence_coverage",
        help="what counts as a failure (default: evidence_coverage)",
    )
    parser.add_argument(
        "--counterfactual", action="store_true", help="find the repair that turns wrong answers right (of accuracy)"
    )
    parser.add_argument("--examples", type=natural, default=2, metavar="N", help="examples of each kind (default: 2)")
    add_budget(parser)
    add_set(parser)
    add_models(parser)
    add_history(parser, several=True)
    add_questions(parser)


def run(args: Namespace, out: Output) -> int:
    """Diagnose and show."""
    from designsearch.crew import crew
    from designsearch.inputs import open_design, roles_for
    from designsearch.runtime.cache import Cache, default_folder
    from designsearch.search.evaluate import Runner

    objective = "accuracy" if args.counterfactual else args.objective
    design = open_design(args.design, args.set)
    tasks = load_tasks(args, out)
    answered = objective == "accuracy"
    with crew(args.models, roles_for([design], *(("answerer", "judge") if answered else ())), out.note) as models:
        runner = Runner(args.context_budget, models.services(Cache(default_folder())), args.history_view)
        if answered:
            runner.answerer, runner.judge = models.answerer(), models.judge()
        with out.progress("diagnosing"):
            failures, measured = _diagnose(runner, design, tasks, objective)
            repaired = _repair(runner, design, tasks, failures) if args.counterfactual else []
            played = _played(runner, design, tasks, failures)
        costs = models.costs()
    if not measured:
        raise CannotContinueError(f"nothing could be diagnosed: {objective} was measured on no question")
    out.document(
        {
            "design": design.name,
            "design_hash": design.hash,
            "objective": objective,
            "measured": measured,
            "failures": [failure.to_json() | _episodes(played, failure) for failure in failures],
            "repairs": [{"history": r.history, "question_id": r.question_id, **r.outcome} for r in repaired],
        }
        | ({"costs": costs_json(costs)} if args.models else {})
    )
    show(failures, measured, repaired, played, args.examples, out)
    show_costs(costs, out)
    if failures and not out.json:
        out.note("\ndesignsearch run searches for a design that fails less; designsearch init writes a study for it")
    return 0


def _diagnose(runner: Runner, design: Design, tasks: Sequence[Task], objective: str) -> tuple[list[Failure], int]:
    """The failures, and the number of questions measured."""
    from designsearch.search.diagnose import diagnose
    from designsearch.search.scores import scores

    failures, measured = [], 0
    for task in tasks:
        rows = range(len(task.questions))
        measured += len(scores(runner.results(design, task, rows), objective).measured)
        failures += diagnose(runner, design, task, rows, objective)
    return failures, measured


def _played(runner: Runner, design: Design, tasks: Sequence[Task], failures: Sequence[Failure]) -> Played:
    """What the memory policies of the design did about the questions that failed."""
    from designsearch.play import by_question, plays

    failed = {failure.key for failure in failures}
    found: list[Play] = []
    for task in tasks if failed else ():
        # the same batch as was diagnosed: what it went through is in the cache
        found += plays(runner.passes(design, task, range(len(task.questions))))
    return by_question(play for play in found if play.key in failed)


def _episodes(played: Played, failure: Failure) -> dict[str, Any]:
    own = played.get(failure.key, [])
    return {"episodes": [play.to_json() for play in own]} if own else {}


def _repair(runner: Runner, design: Design, tasks: Sequence[Task], failures: Sequence[Failure]) -> list[Repaired]:
    from designsearch.search.counterfactual import repair

    assert runner.answerer is not None
    failed = {failure.key for failure in failures}
    repaired = []
    for task in tasks:
        rows = [i for i, question in enumerate(task.questions) if (task.name, question.id) in failed]
        repaired += repair(runner, runner.answerer, design, task, rows)
    return repaired
