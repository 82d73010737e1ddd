"""Play the policy of a design and write its episodes, one JSON line a question.

A line holds the question, its gold evidence (empty where the history has no answer, null where it is not known), and
every step: what was searched for and found, which records notes cite, where it stopped. Records stand by their ids. A
question sees the whole history, whenever it was asked. designsearch policy score reads such a file. With --reward a
reward model scores each step too: the small one that designsearch policy pairs wrote, or with reviewer the language
model in that role of --models, which reads each episode with the reference answer and the evidence.

Examples:
    designsearch policy rollout design.yaml --history chats.jsonl --questions q.jsonl -o episodes.jsonl
    designsearch policy rollout design.yaml --history data/set --reward reward/reward.json -o episodes.jsonl
    designsearch policy rollout design.yaml --history data/set --models models.yaml -o episodes.jsonl
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from designsearch import figures
from designsearch.cli.costs_table import costs_json, show_costs
from designsearch.cli.judges import add_reward, judging_roles, reviewing_judge, small_judge
from designsearch.cli.options import DESIGN, add_history, add_models, add_questions, add_set
from designsearch.cli.parser import Namespace, Parser
from designsearch.result_files import check_target, write_result

if TYPE_CHECKING:
    from designsearch.cli.output import Output


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("design", metavar="DESIGN", help=f"{DESIGN}; with a stage op: policy")
    parser.add_argument("-o", "--out", required=True, metavar="FILE", help="where the episodes go")
    add_reward(parser, "that scores each step")
    add_set(parser)
    add_models(parser)
    add_history(parser, several=True)
    add_questions(parser, view=False)


def run(args: Namespace, out: Output) -> int:
    """Play and write."""
    from designsearch.cli.eval import load_tasks
    from designsearch.crew import crew
    from designsearch.inputs import open_design, roles_for
    from designsearch.policies import played
    from designsearch.runtime.cache import Cache, default_folder
    from designsearch.search.training.policy_stage import policy_of

    read = (args.design, *args.history, args.questions, *filter(None, [args.models, args.reward]))
    check_target(Path(args.out), *read)
    design = open_design(args.design, args.set)
    policy_of(design)
    small = small_judge(args.reward)
    tasks = load_tasks(args, out)
    roles = roles_for([design], *judging_roles(args.reward))
    with crew(args.models, roles, out.note) as models:
        judge = small or reviewing_judge(args.reward, models)
        lines = list(played(design, tasks, models.services(Cache(default_folder())), judge))
        costs = models.costs()
    write_result(Path(args.out), "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    known = [line["recall"] for line in lines if line["gold"]]
    recall = fmean(known) if known else None
    paid = {"costs": costs_json(costs)} if args.models else {}
    out.document({"episodes": args.out, "count": len(lines), "evidence_recall": recall, **paid})
    out.heading(f"{args.out}: {figures.number_of(len(lines), 'episode')}")
    if recall is not None:
        out.line(f"evidence recall of the notes {recall:.4f} on {figures.number_of(len(known), 'question')}")
    if judge is not None and (told := judge.told()):
        out.warning(told)
    show_costs(costs, out)
    return 0
