"""Fit the policy learned of a design on questions with evidence, and write its file of weights.

A supervised start comes first: weights of few features that rank candidates with evidence before others, and a cut-off
of its own for each question. Then the policy plays each question several times by chance, and learns from rewards
(PA-DAPO): those of rules over the evidence, or with --reward of a reward model, which is the small one that policy
pairs wrote or, with reviewer, the language model in that role of --models, asked about every episode. A quarter of the
questions is held out: what finds more evidence there at equal tokens of notes, the start or what was learnt from
rewards, is written. --curve writes what each round did, one JSON line a round: reward by type of action, counts of
actions and queries, the shares of the evidence that were found and kept, and now and then the same for the held-out
questions.

The design must have a stage op: policy, and may name policy: rules until there are weights; what it names is not
played here. Once they are written, put policy: learned and weights: FILE into that stage. A question sees the whole
history, whenever it was asked.

In place of the design a configuration with policy: llm trains a language model with LoRA adapters (docs/training.md):
FILE is then a folder, and the numbers stand in the configuration. That needs pip install 'designsearch[train]'.

Examples:
    designsearch policy train design.yaml --history chats.jsonl --questions train.jsonl -o weights.json
    designsearch policy train design.yaml --history data/set --tokens 1000 -o weights.json --curve c.jsonl
    designsearch policy train design.yaml --history data/set --reward reward/reward.json -o weights.json
    designsearch policy train training.yaml --history chats.jsonl --questions train.jsonl -o policy/
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from designsearch import figures
from designsearch.cli.costs_table import costs_json, show_costs
from designsearch.cli.judges import add_reward, judging_roles, reviewing_judge, small_judge
from designsearch.cli.options import (
    DESIGN,
    add_history,
    add_models,
    add_questions,
    add_set,
    natural,
    note_tokens,
    positive,
)
from designsearch.cli.parser import Namespace, Parser
from designsearch.dsl.problems import UserError
from designsearch.result_files import check_target, write_result

if TYPE_CHECKING:
    from designsearch.cli.output import Output


NUMBERS = {"tokens": 2000, "rounds": 12, "per_round": 256, "seed": 0}
"""What the options of a training are where they are not given; a language model has its own in its configuration."""


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("design", metavar="DESIGN", help=f"{DESIGN}; with a stage op: policy")
    parser.add_argument("-o", "--out", required=True, metavar="FILE", help="where the weights go")
    parser.add_argument(
        "--tokens", type=note_tokens, metavar="N", help="of notes a question in the mean (default: 2000)"
    )
    parser.add_argument("--rounds", type=natural, metavar="N", help="of PA-DAPO (default: 12)")
    parser.add_argument("--per-round", type=positive, metavar="N", help="questions played a round (default: 256)")
    parser.add_argument("--curve", metavar="FILE", help="write one JSON line a round there")
    parser.add_argument("--seed", type=natural, metavar="N", help="of all that is drawn (default: 0)")
    add_reward(parser, "that rewards the steps in place of the rules")
    add_set(parser)
    add_models(parser)
    add_history(parser, several=True)
    add_questions(parser, view=False)


def run(args: Namespace, out: Output) -> int:
    """Train, write, and say what was better."""
    from designsearch.search.training.lora.config import names_language_model

    if names_language_model(args.design):
        return _language_model(args, out)
    vars(args).update({option: value for option, value in NUMBERS.items() if getattr(args, option) is None})
    from designsearch.cli.eval import load_tasks
    from designsearch.crew import crew
    from designsearch.inputs import open_design, roles_for
    from designsearch.policies import trained
    from designsearch.runtime.cache import Cache, default_folder
    from designsearch.search.training.learned.learning import Schedule
    from designsearch.search.training.policy_stage import policy_of

    _check_targets(args)
    design = open_design(args.design, args.set)
    policy_of(design)
    small = small_judge(args.reward)
    tasks = load_tasks(args, out)
    roles = roles_for([design], *judging_roles(args.reward))
    with crew(args.models, roles, out.note) as models:
        judge = small or reviewing_judge(args.reward, models)
        schedule = Schedule(
            iterations=args.rounds, questions=args.per_round, tokens=args.tokens, seed=args.seed, judge=judge
        )
        with out.progress("training") as tell:

            def follow(point: dict[str, Any]) -> None:
                tell(f"round {point['round']} of {args.rounds}")

            made = trained(design, tasks, models.services(Cache(default_folder())), schedule, follow)
        costs = models.costs()
    write_result(Path(args.out), made.weights.text())
    if args.curve is not None:
        write_result(Path(args.curve), "".join(json.dumps(point) + "\n" for point in made.learnt.curve))
    about = dict(made.weights.about)
    out.document({"weights": args.out, **about, **({"costs": costs_json(costs)} if args.models else {})})
    reached = about["held_out_recall"]
    kept = figures.number_of(args.tokens, "token")
    out.heading(f"{args.out}: evidence recall on held-out questions at {kept} of notes")
    rewarded = f"learnt from rewards {reached['from_rewards']:.4f}" if args.rounds else "nothing learnt from rewards"
    out.line(f"supervised {reached['supervised']:.4f}, {rewarded}")
    out.line(f"written: {'what was learnt from rewards' if about['kept'] == 'from_rewards' else 'the supervised one'}")
    if not max(value or 0.0 for value in reached.values()):
        out.warning(f"nothing of the evidence was kept: {kept} of notes may be too few (--tokens)")
    if judge is not None and (told := judge.told()):
        out.warning(told)
    show_costs(costs, out)
    return 0


def _check_targets(args: Namespace) -> None:
    """Find out before the work whether the files may be written.

    Raises:
        UserError: one is named twice, or is one that is read.
        CannotContinueError: one cannot be written.
    """
    if args.curve is not None and Path(args.curve).resolve() == Path(args.out).resolve():
        raise UserError(f"{args.curve}: is named for both --out and --curve; name two files")
    read = (args.design, *args.history, args.questions, *filter(None, [args.models, args.reward]))
    for target in filter(None, (args.out, args.curve)):
        check_target(Path(target), *read)


def _language_model(args: Namespace, out: Output) -> int:
    """Train the language model of a configuration."""
    from designsearch.cli.eval import load_tasks
    from designsearch.runtime.cache import Cache, default_folder
    from designsearch.runtime.services import Services
    from designsearch.search.training.lora.config import read_training
    from designsearch.search.training.lora.run import need_libraries, train_file

    config = read_training(args.design)
    for option in ("reward", "models"):
        if getattr(args, option) is not None:
            raise UserError(f"--{option}: {args.design} trains a language model; its block reward says who rewards it")
    for option in (*NUMBERS, "curve", "set"):
        if getattr(args, option) not in (None, []):
            raise UserError(
                f"--{option.replace('_', '-')}: {args.design} trains a language model; its numbers stand in that file,"
                " and its curve is written beside the adapters"
            )
    need_libraries()
    tasks = load_tasks(args, out)
    with out.progress("training") as tell:
        best = train_file(config, tasks, Services(Cache(default_folder())), Path(args.out), tell)
    out.document({"weights": str(best)})
    out.line(f"{best}: adapters of {config.shape.model}, the best on held-out questions; serve them as models.helper")
    return 0
