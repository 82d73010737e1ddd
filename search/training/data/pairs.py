"""Training data of a generative reward model as TRL and verl read them.

TRL takes conversational examples with ``prompt`` and ``completion`` for supervised learning, with ``prompt``,
``chosen`` and ``rejected`` for DPO, as JSON, one row a line. verl takes whole conversations as ``messages`` for
supervised learning, from parquet alone, and trains on no preferences.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.judging.opinions import RewardJudge
from designsearch.search.training.judging.quality import Judgement, differ, judgement, written
from designsearch.search.training.judging.reward_request import reward_request

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


def conversation_row(judged: Judged) -> Row:
    """An example of the first stage as one conversation, whose last message is to be learnt."""
    return {"messages": _prompt(judged) + _said(rule_judgement(judged))}


def lines(rows: Iterable[Row]) -> str:
    """The rows as JSON lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _prompt(judged: Judged) -> list[dict[str, str]]:
    return [{"role": message.role, "content": message.content} for message in reward_request(judged).messages]


def _said(found: Judgement) -> list[dict[str, str]]:
    return [{"role": "assistant", "content": written(found)}]
