"""Runs a study's designs on the study's questions: the evaluator behind the loop."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial

from designsearch.dsl.design import Design
from designsearch.search.contracts import Failure, Part
from designsearch.search.diagnose import diagnose
from designsearch.search.evaluate import Pass, Runner, Task
from designsearch.search.parallel import Histories
from designsearch.search.results import Key, QuestionResult
from designsearch.search.splits import Split


class StudyEvaluator:
    """Designs on the shares of a study's questions.

    Attributes:
        runner: runs designs.
        tasks: the histories with their questions.
        objective: the metric that is to rise.
        fingerprints: what makes results comparable, by name.
    """

    def __init__(
        self,
        runner: Runner,
        tasks: Sequence[Task],
        split: Split,
        objective: str,
        histories: Histories | None = None,
    ) -> None:
        self.runner = runner
        self.tasks = tuple(tasks)
        self.objective = objective
        self._histories = histories or Histories(runner, self.tasks)
        self._rows: dict[Part, list[tuple[int, list[int]]]] = {}
        for number, task in enumerate(self.tasks):
            shares: dict[Part, list[int]] = {}
            for row, question in enumerate(task.questions):
                part = split.part_of.get(Key(task.name, question.id))
                if part is not None:
                    shares.setdefault(part, []).append(row)
            for part, rows in shares.items():
                self._rows.setdefault(part, []).append((number, rows))
        self.fingerprints: Mapping[str, str] = {
            "history": _digest([[task.name, task.full.fingerprint] for task in self.tasks]),
            "questions": _digest([[asdict(question) for question in task.questions] for task in self.tasks]),
            "counter": runner.services.counter.name,
            "embedder": runner.services.embedder.fingerprint,
            "models": _models(runner),
            "view": runner.view,
        }

    def evaluate(self, design: Design, part: Part) -> list[QuestionResult]:
        """The results of every question of a part, history by history."""
        found = self._histories.map(partial(_results, design), self._rows.get(part, []))
        return [result for own in found for result in own]

    def diagnose(self, design: Design, part: Part) -> list[Failure]:
        """The failures of a part, history by history."""
        found = self._histories.map(partial(_failures, design, self.objective), self._rows.get(part, []))
        return [failure for own in found for failure in own]

    def passes(self, design: Design, part: Part) -> list[Pass]:
        """The batches of a part after they went through a design, for a proposer that learns from rankings."""
        return [
            done
            for number, rows in self._rows.get(part, [])
            for done in self.runner.passes(design, self.tasks[number], rows)
        ]


def _models(runner: Runner) -> str:
    """What the verdicts on answers depend on, prompts and repetitions included."""
    if runner.answerer is None:
        return "none"
    times = [f"x{runner.answerer.replicates}"] if runner.answerer.replicates > 1 else []
    return " ".join([runner.answerer.fingerprint, *times, *([runner.judge.fingerprint] if runner.judge else [])])


def _results(design: Design, runner: Runner, task: Task, rows: Sequence[int]) -> list[QuestionResult]:
    return runner.results(design, task, rows)


def _failures(design: Design, objective: str, runner: Runner, task: Task, rows: Sequence[int]) -> list[Failure]:
    return diagnose(runner, design, task, rows, objective)


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
