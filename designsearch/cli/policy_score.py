"""Score every step of episodes by the rule: what was missing counts before how much else came along.

The file is one of designsearch policy rollout. Shown are the mean score of each type of action, from 1 to 100, how
often each was taken, and the mean reward of an episode, in which every type of action counts alike; and how the rewards
go with the share of the evidence that the notes cite (recall) and the share of what they cite that is evidence
(precision). Where rollout was told --reward, the reward model's figures stand beside the rule's. Episodes of questions
whose evidence is not known are left out and counted. --out writes one JSON line an episode with the score of each step.

Examples:
    designsearch policy score episodes.jsonl
    designsearch policy score episodes.jsonl --out scores.jsonl
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from designsearch import figures
from designsearch.cli.parser import Namespace, Parser
from designsearch.cli.tables import Table, table
from designsearch.dsl.problems import CannotContinueError
from designsearch.result_files import check_target, write_result

if TYPE_CHECKING:
    from designsearch.cli.output import Output
    from designsearch.scored_episodes import Agreement, Scored

RULE, MODEL = "rule", "reward model"


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("episodes", metavar="EPISODES", help="a file of designsearch policy rollout")
    parser.add_argument("--out", metavar="FILE", help="write one JSON line an episode there")


def run(args: Namespace, out: Output) -> int:
    """Score and show."""
    from designsearch.scored_episodes import scored_episodes

    if args.out is not None:
        check_target(Path(args.out), args.episodes)
    episodes = scored_episodes(Path(args.episodes))
    scored = [one for one in episodes if one.rule]
    if not scored:
        why = "of none of its questions the evidence is known" if episodes else "holds no episode"
        raise CannotContinueError(f"{args.episodes}: {why}, so there is nothing to score")
    if args.out is not None:
        write_result(Path(args.out), "".join(json.dumps(one.to_json()) + "\n" for one in episodes))
    found = _figures(scored)
    out.document({"episodes": len(scored), "unscored": len(episodes) - len(scored), **found})
    out.heading(f"mean reward of an episode {found['reward']:.4f}, {figures.number_of(len(scored), 'episode')}")
    if len(scored) < len(episodes):
        left = figures.number_of(len(episodes) - len(scored), "episode")
        out.line(f"{left} of questions whose evidence is not known: not scored")
    out.table(_actions(found, len(scored)))
    if "model" in found:
        judged = figures.number_of(found["model"]["episodes"], "episode")
        out.gap()
        out.line(f"mean reward by the reward model {found['model']['reward']:.4f}, {judged}")
    out.gap()
    out.table(_agreements(found))
    return 0


def _figures(episodes: list[Scored]) -> dict[str, Any]:
    from designsearch.scored_episodes import means

    kinds = [kind for one in episodes for kind, _ in one.rule]
    by_type = means([one.rule for one in episodes])
    found: dict[str, Any] = {
        "reward": fmean(_reward(one.rule) for one in episodes),
        "score_by_type": by_type,
        "actions": {kind: kinds.count(kind) for kind in by_type},
        "agreement": _agreement([(one, _reward(one.rule)) for one in episodes]),
    }
    judged = [(one, one.model) for one in episodes if one.model]
    if judged:
        found["model"] = {
            "episodes": len(judged),
            "reward": fmean(_reward(scores) for _, scores in judged),
            "score_by_type": means([scores for _, scores in judged]),
            "agreement": _agreement([(one, _reward(scores)) for one, scores in judged]),
        }
    return found


def _reward(scores: Any) -> float:
    from designsearch.search.training.judging.trajectory_reward import trajectory_reward

    return trajectory_reward(scores).value


def _agreement(rewarded: list[tuple[Scored, float]]) -> dict[str, Any]:
    from designsearch.scored_episodes import agreement

    known = [(one, value) for one, value in rewarded if one.recall is not None]
    found: Agreement = agreement([value for _, value in known], [one for one, _ in known])
    return {"episodes": len(known), "recall": found.recall, "precision": found.precision}


def _actions(found: dict[str, Any], episodes: int) -> Table:
    model = found.get("model")
    rows = []
    for kind, score in found["score_by_type"].items():
        taken = found["actions"][kind]
        own = [_score(model["score_by_type"].get(kind))] if model else []
        rows.append((kind, f"{score:.1f}", *own, f"{taken:,}", f"{taken / episodes:.2f}"))
    return table("action", "score", *([MODEL] if model else []), "taken", "an episode", rows=rows)


def _score(value: float | None) -> str:
    return figures.NONE if value is None else f"{value:.1f}"


def _agreements(found: dict[str, Any]) -> Table:
    rows = []
    for name, own in ((RULE, found), (MODEL, found.get("model"))):
        if own:
            parts = [own["agreement"][measure] or (None, None) for measure in ("recall", "precision")]
            rows.append((name, str(own["agreement"]["episodes"]), *(_r(value) for pair in parts for value in pair)))
    columns = (">episodes", ">recall: Pearson", ">Spearman", ">precision: Pearson", ">Spearman")
    return table("reward of", *columns, rows=rows, title="correlation of rewards with the evidence in the notes")


def _r(value: float | None) -> str:
    return figures.NONE if value is None else f"{value:.3f}"
