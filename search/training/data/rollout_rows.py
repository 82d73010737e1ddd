"""Questions as tasks for a policy that verl trains, with the episodes that were recorded of each.

verl takes rows with ``data_source``, ``prompt``, ``ability``, ``reward_model`` and ``extra_info`` (its loader reads
``.jsonl`` as well as parquet) and lets the policy play the episodes itself. Each row is one group of episodes there, so
a question has one row. What was recorded stands in ``extra_info`` as a JSON text, because columns of one file must have
one type.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby

from designsearch.runtime.episodes.states import Add, Search, Stop, Taken
from designsearch.search.training.data.pairs import Row, rule_judgement
from designsearch.search.training.environments.conversation import conversation
from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.judging.quality import scored
from designsearch.search.training.judging.trajectory_reward import trajectory_reward

AGENT = "designsearch"
"""What verl looks up to know who plays the episodes of a row."""


def rollout_rows(episodes: Sequence[Judged], split: str = "train") -> list[Row]:
    """A row a question.

    Args:
        episodes: those of one question follow each other.
        split: the part of the data that they belong to.
    """
    groups = groupby(episodes, lambda one: (one.memory.history.name, one.question.id))
    return [_row(list(group), index, split) for index, (_, group) in enumerate(groups)]


def _row(episodes: Sequence[Judged], index: int, split: str) -> Row:
    first = episodes[0]
    question = first.question
    gold = {"answer": question.answer, "records": [one.record for one in question.evidence]}
    return {
        "data_source": "designsearch/memory-policy",
        "agent_name": AGENT,
        "prompt": conversation(first.trajectory.steps[0].state),
        "ability": "memory",
        "reward_model": {"style": "rule", "ground_truth": json.dumps(gold, ensure_ascii=False)},
        "extra_info": {
            "index": index,
            "split": split,
            "as_of": question.as_of or "",
            "history": first.memory.history.name,
            "question_id": question.id,
            "episodes": json.dumps([_episode(one) for one in episodes], ensure_ascii=False),
        },
    }


def _episode(judged: Judged) -> Row:
    found = rule_judgement(judged)
    return {
        "steps": [_step(taken, judged) for taken in judged.trajectory.steps],
        "step_scores": [step.score for step in found],
        "reward": trajectory_reward(scored(found)).value,
    }


def _step(taken: Taken, judged: Judged) -> Row:
    action, row = taken.action, {"type": taken.action.type}
    if isinstance(action, Search):
        return row | {"query": action.query.text, "found": [_unit(one.unit, judged) for one in taken.found]}
    if isinstance(action, Add):
        return row | {"notes": [_unit(note.unit, judged) | {"content": note.content} for note in action.notes]}
    return row | ({"forced": bool(action.forced)} if isinstance(action, Stop) else {})


def _unit(unit: int, judged: Judged) -> Row:
    return {"unit": unit, "records": list(judged.memory.source_of(unit)[1])}
