"""Score every step of episodes by the rule: what was missing counts before how much else came along.

The file is one of designsearch policy rollout. Shown are the mean score of each type of action, from 1 to 100, how
often each was taken, and the mean reward of an episode, in which every type of action counts alike. --out writes one
JSON line an episode with the score of each step.

Examples:
    designsearch policy score episodes.jsonl
    designsearch policy score episodes.jsonl --out scores.jsonl
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from designsearch.cli.parser import Namespace, Parser
from designsearch.cli.tables import table
from designsearch.dsl.problems import CannotContinueError
from designsearch.result_files import check_apart, check_writable, write_result

if TYPE_CHECKING:
    from designsearch.cli.output import Output


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("episodes", metavar="EPISODES", help="a file of designsearch policy rollout")
    parser.add_argument("--out", metavar="FILE", help="write one JSON line an episode there")


def run(args: Namespace, out: Output) -> int:
    """Score and show."""
    from designsearch.episode_lines import read_episodes
    from designsearch.runtime.episodes.states import ACTION_TYPES
    from designsearch.search.training.judging.rule_rewards import rule_rewards
    from designsearch.search.training.judging.trajectory_reward import trajectory_reward

    if args.out is not None:
        check_apart(Path(args.out), args.episodes)
        check_writable(Path(args.out))
    lines: list[dict[str, Any]] = []
    for found, facts in read_episodes(Path(args.episodes)):
        scores = rule_rewards(facts)
        lines.append({
            "history": found.get("history"),
            "question_id": found.get("question_id"),
            "reward": trajectory_reward(scores).value if scores else None,
            "steps": [{"type": kind, "score": score} for kind, score in scores],
        })  # fmt: skip
    rewards = [line["reward"] for line in lines if line["reward"] is not None]
    if not rewards:
        raise CannotContinueError(f"{args.episodes}: holds no step that could be scored")
    if args.out is not None:
        write_result(Path(args.out), "".join(json.dumps(line) + "\n" for line in lines))
    by_type = {
        kind: [s["score"] for line in lines for s in line["steps"] if s["type"] == kind] for kind in ACTION_TYPES
    }
    means = {kind: fmean(scores) for kind, scores in by_type.items() if scores}
    counts = {kind: len(by_type[kind]) for kind in means}
    out.document({"episodes": len(lines), "reward": fmean(rewards), "score_by_type": means, "actions": counts})
    out.heading(f"mean reward of an episode {fmean(rewards):.4f}, {len(lines):,} episodes")
    rows = [(kind, f"{means[kind]:.1f}", f"{counts[kind]:,}", f"{counts[kind] / len(lines):.2f}") for kind in means]
    out.table(table("action", "score", "taken", "an episode", rows=rows))
    return 0
