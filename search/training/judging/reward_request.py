"""What a reward model is asked about an episode: a request to a model, or the prompt of a training example."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from designsearch.runtime.episodes.states import ACTION_TYPES, Add, Note, Search, Stop, Taken
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Request
from designsearch.runtime.policies.notes import note_of
from designsearch.runtime.records import History
from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.judging.quality import Level
from designsearch.search.training.judging.trajectory_reward import HIGHEST, LOWEST

PROMPT = "policy/reward"

TOKENS_A_STEP = 60
"""Room for the score of a step in a reply."""


def reward_request(judged: Judged) -> Request:
    """The request to score every step of an episode.

    The units are shown as the policy saw them, each once; what a search found behind its window is not shown.
    """
    steps = judged.trajectory.steps
    numbers = _numbers(judged)
    return prompted(
        PROMPT,
        _schema(len(steps)),
        max_output_tokens=100 + TOKENS_A_STEP * len(steps),
        question=judged.question.question,
        as_of=judged.question.as_of or "",
        reference_answer=_answer(judged),
        gold_evidence=_gold(judged),
        units=[_unit(judged, unit) for unit in numbers],
        trajectory=[_step(index, taken, numbers, judged) for index, taken in enumerate(steps, 1)],
        scoreable_steps=[{"index": index, "type": taken.action.type} for index, taken in enumerate(steps, 1)],
    )


def _schema(steps: int) -> dict[str, Any]:
    score = object_of(
        step_index={"type": "integer"},
        step_type={"type": "string", "enum": list(ACTION_TYPES)},
        quality_level={"type": "string", "enum": list(get_args(Level))},
        score={"type": "integer", "minimum": LOWEST, "maximum": HIGHEST},
    )
    return object_of(step_scores={"type": "array", "items": score, "minItems": steps, "maxItems": steps})


def _answer(judged: Judged) -> str:
    question = judged.question
    if not question.answerable or question.answer is None:
        return "There is no answer in the records."
    said = question.answer if isinstance(question.answer, list) else [question.answer]
    answers = ["; ".join(map(str, said)), *question.alternatives]
    return "\nor: ".join(answers)


def _numbers(judged: Judged) -> dict[int, int]:
    """The units that the searches showed, numbered from 1 in the order of appearance."""
    shown = dict.fromkeys(one.unit for taken in judged.trajectory.steps for one in taken.found)
    return {unit: number for number, unit in enumerate(shown, 1)}


def _gold(judged: Judged) -> list[str]:
    """The gold records that the history has, or the parts that are quoted of them, with time and author."""
    history = judged.memory.history
    rows = [(history.row[one.record], one.quote) for one in judged.question.evidence if one.record in history.row]
    return [_record(history, row, quote) for row, quote in rows]


def _record(history: History, row: int, quote: str | None) -> str:
    head = " ".join(part for part in (history.time_texts[row], history.authors[row]) if part)
    text = history.texts[row] if quote is None else quote
    return f"[{head}] {text}" if head else text


def _unit(judged: Judged, unit: int) -> str:
    memory = judged.memory
    time = memory.history.time_texts[int(memory.first_records[unit])]
    return f"[{time}] {memory.text(unit)}" if time else memory.text(unit)


def _step(index: int, taken: Taken, numbers: Mapping[int, int], judged: Judged) -> dict[str, Any]:
    action, step = taken.action, {"index": index, "type": taken.action.type}
    if isinstance(action, Search):
        found = [numbers[one.unit] for one in taken.found]
        return step | {"query": action.query.text or " ".join(term for term, _ in action.query.terms), "found": found}
    if isinstance(action, Add):
        return step | {"notes": [_note(note, numbers, judged) for note in action.notes]}
    return step | ({"forced": bool(action.forced)} if isinstance(action, Stop) else {})


def _note(note: Note, numbers: Mapping[int, int], judged: Judged) -> dict[str, Any]:
    whole = note.cited == note_of(judged.memory, note.unit).cited
    texts = judged.memory.history.texts
    cited = "" if whole else "\n".join(texts[one.record][one.start : one.end] for one in note.cited)
    return {"unit": numbers[note.unit], "cited": cited, "content": note.content}
