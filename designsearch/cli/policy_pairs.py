"""Make training data of reward models from the episodes of a design's policy.

Each question with evidence is played several times, by the policy as it is and with decisions replaced at random;
near-duplicates fall, and what is left is judged step by step. FOLDER then holds sft.jsonl (a prompt and the rule's
scores) and preferences.jsonl (a prompt, better scores chosen and the rule's rejected) as TRL reads them,
rollouts.jsonl (a row a question, to train a policy on, with the episodes that were recorded) as verl reads it, and
reward.json, a small reward model that was trained on them and needs no evidence to score. With --parquet there is
sft.parquet too: the examples of sft.jsonl as verl reads them. docs/training.md has the commands of
both trainers.

Without --models stricter rules give the better scores. With a model in the role reviewer (see the block models of a
study) that model reads each episode with the reference answer and the evidence, and scores its steps; an episode for
which it gives no usable scores makes no pair, and how many there are is said.

Gold answers and evidence stand in these files: keep the questions that you measure with out of them.

Examples:
    designsearch policy pairs design.yaml --history chats.jsonl --questions train.jsonl -o reward/
    designsearch policy pairs design.yaml --history chats.jsonl --questions q.jsonl -o pairs/ --models m.yaml
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from designsearch import figures
from designsearch.cli.costs_table import costs_json, show_costs
from designsearch.cli.options import DESIGN, add_history, add_models, add_set, natural, positive
from designsearch.cli.parser import Namespace, Parser

if TYPE_CHECKING:
    from designsearch.cli.output import Output
    from designsearch.rewarding import RewardData


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("design", metavar="DESIGN", help=f"{DESIGN}; with a stage op: policy")
    parser.add_argument("-o", "--out", required=True, metavar="FOLDER", help="where the files go")
    parser.add_argument(
        "--variants", type=positive, default=12, metavar="N", help="episodes a question at first (default: 12)"
    )
    parser.add_argument(
        "--most", type=positive, default=10, metavar="N", help="episodes a question that are kept (default: 10)"
    )
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="of what is drawn (default: 0)")
    parser.add_argument(
        "--parquet", action="store_true", help="write sft.parquet too, the examples as verl reads them (needs pyarrow)"
    )
    add_set(parser)
    add_models(parser)
    add_history(parser, several=True)
    group = parser.add_argument_group("questions")
    group.add_argument(
        "--questions",
        default="official",
        metavar="FILE",
        help="a file of questions with evidence; official (the default) takes those that the data set brings",
    )
    group.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="FILTER=VALUE",
        help="take only some, as in type=fact,temporal or evidence=conversation; may be repeated",
    )


def run(args: Namespace, out: Output) -> int:
    """Play, judge, write and account for it."""
    from designsearch.cli.eval import load_tasks
    from designsearch.crew import crew
    from designsearch.inputs import open_design, roles_for
    from designsearch.rewarding import check_folder, reward_data, write_reward_data
    from designsearch.runtime.cache import Cache, default_folder
    from designsearch.search.training.data.episodes import Sampling
    from designsearch.search.training.policy_stage import policy_of

    folder = Path(args.out)
    design = open_design(args.design, args.set)
    policy_of(design)
    check_folder(folder, parquet=args.parquet)
    tasks = load_tasks(args, out)
    how = Sampling(variants=args.variants, most=args.most, seed=args.seed)
    with crew(args.models, roles_for([design], "reviewer"), out.note) as models:
        with out.progress("playing") as tell:
            services, reviewer = models.services(Cache(default_folder())), models.team.model("reviewer")
            data = reward_data(design, tasks, services, how, reviewer, tell)
        costs = models.costs()
    write_reward_data(data, folder, parquet=args.parquet)
    out.document({"folder": str(folder), **_figures(data), **({"costs": costs_json(costs)} if args.models else {})})
    _show(data, folder, out)
    show_costs(costs, out)
    return 0


def _figures(data: RewardData) -> dict[str, Any]:
    return {
        "questions": data.questions,
        "drawn": data.drawn,
        "episodes": len(data.episodes),
        "steps": data.steps,
        "pairs": len(data.pairs),
        "judge": data.judge,
    }


def _show(data: RewardData, folder: Path, out: Output) -> None:
    kept = figures.number_of(len(data.episodes), "episode")
    out.heading(f"{folder}: {kept} of {figures.number_of(data.questions, 'question')}")
    steps, pairs = figures.number_of(data.steps, "step"), figures.number_of(len(data.pairs), "pair")
    out.line(f"{data.drawn:,} were played; those that differ from each other are kept, with {steps}")
    out.line(f"{pairs}: episodes of which the judge puts some step on another level than the rule does")
    if data.told:
        out.warning(data.told)
