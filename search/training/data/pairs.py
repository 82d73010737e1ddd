"""Training data of a generative reward model and of a policy, as TRL and verl read them: JSON, one row a line.

TRL takes conversational examples with ``prompt`` and ``completion`` for supervised learning, with ``prompt``,
``chosen`` and ``rejected`` for DPO. verl takes rows with ``data_source``, ``prompt``, ``ability``, ``reward_model``
and ``extra_info`` (its loader reads ``.jsonl`` as well as parquet) and lets the policy play the episodes itself; the
recorded episode stands in ``extra_info`` as a JSON text, because columns of one file must have one type.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from designsearch.runtime.episodes.states import Add, Search, Stop, Taken
from designsearch.runtime.policies.tools import TOOLS
from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.judging.opinions import RewardJudge
from designsearch.search.training.judging.quality import Judgement, differ, judgement, scored, written
from designsearch.search.training.judging.reward_request import reward_request
from designsearch.search.training.judging.trajectory_reward import trajectory_reward

Row = dict[str, Any]


@dataclass(frozen=True)
class Preferred:
    """An episode with a better judgement and the rule's.

    Attributes:
        judged: the episode.
        chosen: the better judge's.
        rejected: the rule's.
    """

    judged: Judged
    chosen: Judgement
    rejected: Judgement


def rule_judgement(judged: Judged) -> Judgement:
    """The rule's judgement of an episode."""
    return judgement(judged.rule_scores())


def preferences(episodes: Sequence[Judged], judge: RewardJudge) -> tuple[Preferred, ...]:
    """The episodes of which a judge puts some step on another level than the rule does; others teach no preference.

    Episodes that it could not judge are left out; :meth:`RewardJudge.told` says how many.
    """
    opinions = judge.judge(episodes)
    pairs = [
        Preferred(judged, opinion.steps, rule_judgement(judged))
        for judged, opinion in zip(episodes, opinions, strict=True)
        if opinion.ok
    ]
    return tuple(pair for pair in pairs if differ(pair.chosen, pair.rejected))


def sft_row(judged: Judged) -> Row:
    """An example of the first stage: the reward prompt, and the rule's judgement as its completion."""
    return {"prompt": _prompt(judged), "completion": _said(rule_judgement(judged))}


def preference_row(pair: Preferred) -> Row:
    """An example of the second stage."""
    return {"prompt": _prompt(pair.judged), "chosen": _said(pair.chosen), "rejected": _said(pair.rejected)}


def rollout_row(judged: Judged, index: int, split: str = "train") -> Row:
    """A task for a policy with tools, with the episode that was recorded and the rule's rewards of it.

    Args:
        judged: the episode.
        index: number of the row.
        split: the part of the data that it belongs to.
    """
    question, name = judged.question, judged.memory.history.name
    found = rule_judgement(judged)
    gold = {"answer": question.answer, "records": [one.record for one in question.evidence]}
    place = {"history": name, "question_id": question.id}
    return {
        "data_source": "designsearch/memory-policy",
        "agent_name": "tool_agent",
        "prompt": [{"role": "user", "content": question.question}],
        "ability": "memory",
        "reward_model": {"style": "rule", "ground_truth": json.dumps(gold, ensure_ascii=False)},
        "extra_info": {
            "index": index,
            "split": split,
            "as_of": question.as_of or "",
            **place,
            "need_tools_kwargs": True,
            "tools_kwargs": {tool.name: {"create_kwargs": place} for tool in TOOLS.values()},
            "episode": json.dumps([_step(taken, judged) for taken in judged.trajectory.steps], ensure_ascii=False),
            "step_scores": [step.score for step in found],
            "reward": trajectory_reward(scored(found)).value,
        },
    }


def lines(rows: Iterable[Row]) -> str:
    """The rows as JSON lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _prompt(judged: Judged) -> list[dict[str, str]]:
    return [{"role": message.role, "content": message.content} for message in reward_request(judged).messages]


def _said(found: Judgement) -> list[dict[str, str]]:
    return [{"role": "assistant", "content": written(found)}]


def _step(taken: Taken, judged: Judged) -> Row:
    action, row = taken.action, {"type": taken.action.type}
    if isinstance(action, Search):
        return row | {"query": action.query.text, "found": [_unit(one.unit, judged) for one in taken.found]}
    if isinstance(action, Add):
        return row | {"notes": [_unit(note.unit, judged) | {"content": note.content} for note in action.notes]}
    return row | ({"forced": bool(action.forced)} if isinstance(action, Stop) else {})


def _unit(unit: int, judged: Judged) -> Row:
    return {"unit": unit, "records": list(judged.memory.source_of(unit)[1])}
