"""Episodes of a memory policy as lines of a file: what was done in each step, and what evidence it was about."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import UserError
from designsearch.runtime.episodes.states import ACTION_TYPES, Search, Stop, Taken
from designsearch.search.training.judged import Judged
from designsearch.search.training.step_facts import Exposure, Rows, StepFacts


def line_of(history: str, judged: Judged) -> dict[str, Any]:
    """An episode as plain JSON; records by id, no text of the history."""
    ids = judged.memory.history.ids

    def named(rows: Iterable[int]) -> list[str]:
        return [ids[row] for row in sorted(rows)]

    def step(taken: Taken, facts: StepFacts) -> dict[str, Any]:
        made: dict[str, Any] = {"type": facts.type}
        if isinstance(taken.action, Search):
            made |= {"query": taken.action.query.text, "source": taken.action.source, "repeated": facts.repeated}
            made["found"] = [named(unit) for unit in facts.exposure.units]
        elif facts.type == "add":
            made["cited"] = named(facts.cited)
        elif isinstance(taken.action, Stop) and taken.action.forced:
            made["forced"] = taken.action.forced
        return made

    return {
        "history": history,
        "question_id": judged.question.id,
        "question": judged.question.question,
        "gold": named(judged.gold),
        "recall": judged.recall,
        "observed_tokens": judged.trajectory.observed,
        "steps": [step(*both) for both in zip(judged.trajectory.steps, judged.facts, strict=True)],
    }


def read_episodes(path: Path) -> Iterator[tuple[dict[str, Any], tuple[StepFacts, ...]]]:
    """The lines of a file of episodes, each with the facts of its steps.

    Raises:
        UserError: it cannot be read, or a line is no episode.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
            yield found, facts_in(found)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UserError(
                f"{path}, line {number}: is no episode; `designsearch policy rollout` writes such lines"
            ) from None


def facts_in(line: dict[str, Any]) -> tuple[StepFacts, ...]:
    """The facts of the steps of a line; rows are numbers of its own.

    Raises:
        KeyError: something is missing.
        ValueError: a step is of no known type.
    """
    numbers: dict[str, int] = {}

    def rows(ids: Iterable[str]) -> Rows:
        return frozenset(numbers.setdefault(one, len(numbers)) for one in ids)

    gold = rows(line["gold"])
    saved: Rows = frozenset()
    shown, made = Exposure(), []
    for step in line["steps"]:
        if step["type"] not in ACTION_TYPES:
            raise ValueError(f"a step is of type {step['type']}")
        if step["type"] == "search":
            shown = Exposure(tuple(rows(unit) for unit in step["found"]))
        cited = rows(step.get("cited", ()))
        made.append(StepFacts(step["type"], gold, saved, shown, cited, bool(step.get("repeated", False))))
        saved |= cited
        if step["type"] == "skip":
            shown = Exposure()
    return tuple(made)
