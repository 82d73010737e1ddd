"""Episodes of a memory policy as lines of a file: what was done in each step, and what evidence it was about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

from designsearch.dsl.problems import UserError
from designsearch.runtime.episodes.states import ACTION_TYPES, NotesRule, Search, Stop, Taken
from designsearch.runtime.exact_json import read_exact_lines
from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.judging.opinions import Opinion
from designsearch.search.training.judging.step_facts import Exposure, Rows, StepFacts
from designsearch.search.training.judging.trajectory_reward import HIGHEST, LOWEST


def line_of(history: str, judged: Judged, opinion: Opinion | None = None) -> dict[str, Any]:
    """An episode as plain JSON; records by id, no text of the history.

    ``gold`` is empty where the history does not answer, and ``null`` where it does and the evidence is not known.

    Args:
        history: its name.
        judged: the episode.
        opinion: what a reward model says of it, where one was asked.
    """
    ids = judged.memory.history.ids

    def named(rows: Iterable[int]) -> list[str]:
        return [ids[row] for row in sorted(rows)]

    def step(taken: Taken, facts: StepFacts, saved_after: Rows) -> dict[str, Any]:
        made: dict[str, Any] = {"type": facts.type}
        if isinstance(taken.action, Search):
            made |= {"query": taken.action.query.text, "source": taken.action.source, "repeated": facts.repeated}
            made["found"] = [named(unit) for unit in facts.exposure.units]
        elif facts.type == "add":
            made["cited"] = named(facts.cited)
            if gone := (facts.saved | facts.cited) - saved_after:
                made["dropped"] = named(gone)
        elif isinstance(taken.action, Stop) and taken.action.forced:
            made["forced"] = taken.action.forced
        return made

    saved = [*(facts.saved for facts in judged.facts), judged.cited]
    said: dict[str, Any] = {}
    if opinion is not None:
        said = {"scores": [one.score for one in opinion.steps]} if opinion.ok else {"unscored": opinion.failure}
    rule = judged.trajectory.final.rule
    if rule != "append":
        said["notes"] = rule
    return {
        "history": history,
        "question_id": judged.question.id,
        "question": judged.question.question,
        "gold": named(judged.gold) if judged.gold or not judged.question.answerable else None,
        "recall": judged.recall if judged.gold else None,
        "observed_tokens": judged.trajectory.observed,
        "steps": [step(*one) for one in zip(judged.trajectory.steps, judged.facts, saved[1:], strict=True)],
    } | said


def read_episodes(path: Path) -> Iterator[tuple[dict[str, Any], tuple[StepFacts, ...]]]:
    """The lines of a file of episodes, each with the facts of its steps.

    Raises:
        UserError: it cannot be read, or a line is no episode.
    """
    for number, found in read_exact_lines(path):
        try:
            facts = facts_in(found)
        except (TypeError, ValueError) as error:
            raise UserError(
                f"{path}:{number}: is no episode: {error}; `designsearch policy rollout` writes such lines"
            ) from None
        yield found, facts


def facts_in(line: Any) -> tuple[StepFacts, ...]:
    """The facts of the steps of a line; rows are numbers of its own.

    Raises:
        TypeError, ValueError: something is missing, or is not what it should be.
    """
    numbers: dict[str, int] = {}

    def rows(ids: Any, place: str) -> Rows:
        if not isinstance(ids, list) or not all(isinstance(one, str) for one in ids):
            raise ValueError(f"{place} is no list of ids of records")
        return frozenset(numbers.setdefault(one, len(numbers)) for one in ids)

    gold = rows([] if is_unknown(_object(line, "the line")) else line.get("gold"), "gold")
    rule = line.get("notes", "append")
    if rule not in get_args(NotesRule):
        raise ValueError(f"notes is none of {', '.join(get_args(NotesRule))}")
    saved: Rows = frozenset()
    shown, made = Exposure(), []
    for number, step in enumerate(_list(line.get("steps"), "steps")):
        place = f"steps[{number}]"
        kind = _object(step, place).get("type")
        if kind not in ACTION_TYPES:
            raise ValueError(f"{place}.type is none of {', '.join(ACTION_TYPES)}")
        if kind == "search":
            found = _list(step.get("found"), f"{place}.found")
            shown = Exposure(tuple(rows(unit, f"{place}.found") for unit in found))
        cited = rows(step.get("cited"), f"{place}.cited") if kind == "add" else frozenset()
        made.append(StepFacts(kind, gold, saved, shown, cited, _flag(step.get("repeated", False), place), rule))
        saved = (saved | cited) - rows(step.get("dropped", []), f"{place}.dropped")
        if kind == "skip":
            shown = Exposure()
    if not made:
        raise ValueError("steps is empty")
    _check_scores(line, len(made))
    return tuple(made)


def is_unknown(line: dict[str, Any]) -> bool:
    """Whether a line says that the evidence of its question is not known, so that no rule can score it."""
    return "gold" in line and line["gold"] is None


def _check_scores(line: dict[str, Any], steps: int) -> None:
    """Whether a reward model's scores, where there are any, fit the steps."""
    scores = line.get("scores")
    if scores is None:
        return
    if len(_list(scores, "scores")) != steps or not all(_is_score(one) for one in scores):
        raise ValueError(f"scores are no {steps} numbers in {LOWEST}..{HIGHEST}, one a step")


def _is_score(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and LOWEST <= value <= HIGHEST


def _flag(value: Any, place: str) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{place}.repeated is neither true nor false")
    return value


def _object(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"{place} is no object")
    return value


def _list(value: Any, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{place} is no list")
    return value
