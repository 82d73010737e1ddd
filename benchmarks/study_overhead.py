"""The study's own work (proposing, editing, deciding, ledger, files) against the evaluations that it runs, from cold.

A synthetic history of some thousand records is searched by rules and sampler; the clock runs inside ``evaluate`` and
``diagnose`` on one side and around the whole study on the other.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from synthetic import texts

from designsearch.dsl.design import Design
from designsearch.runtime.operators import load_all
from designsearch.search.contracts import Failure, Part
from designsearch.search.results import QuestionResult
from designsearch.search.study_evaluator import StudyEvaluator
from designsearch.search.study_file import read_study
from designsearch.search.study_setup import open_study

BASE = Path(__file__).parents[1] / "designs" / "baselines" / "hybrid.yaml"


class Clocked:
    """An evaluator with a clock."""

    def __init__(self, inner: StudyEvaluator) -> None:
        self.inner = inner
        self.fingerprints = inner.fingerprints
        self.seconds = 0.0

    def evaluate(self, design: Design, part: Part) -> list[QuestionResult]:
        """As the inner one."""
        began = perf_counter()
        try:
            return self.inner.evaluate(design, part)
        finally:
            self.seconds += perf_counter() - began

    def diagnose(self, design: Design, part: Part) -> Sequence[Failure]:
        """As the inner one."""
        began = perf_counter()
        try:
            return self.inner.diagnose(design, part)
        finally:
            self.seconds += perf_counter() - began


def write_study(folder: Path, records: int, questions: int, trials: int) -> Path:
    """A history, questions that repeat every third word of their evidence, and a study about them."""
    said = texts(records, 200)
    step = max(1, records // questions)
    with (folder / "history.jsonl").open("w", encoding="utf-8") as file:
        for i, text in enumerate(said):
            day = f"2024-{1 + i // 500 % 12:02d}-{1 + i // 20 % 28:02d}"
            file.write(json.dumps({"id": f"r{i}", "text": text, "time": day, "session": f"s{i // 40}"}) + "\n")
    with (folder / "questions.jsonl").open("w", encoding="utf-8") as file:
        for i in range(questions):
            asked = " ".join(said[i * step].split()[::3])
            line = {"id": f"q{i}", "question": asked, "answer": "x", "evidence": [{"record": f"r{i * step}"}]}
            file.write(json.dumps(line) + "\n")
    study = folder / "study.yaml"
    study.write_text(
        f"version: 1\nstudy: overhead\ndata:\n  - {{history: history.jsonl, questions: questions.jsonl}}\n"
        f"base: {BASE}\ncontext_budget: 1000\n"
        f"proposer: {{op: mixed, of: [rules, sampler]}}\nbudget: {{trials: {trials}}}\n",
        encoding="utf-8",
    )
    return study


def main() -> None:
    """Print the share."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--records", type=int, default=10_000)
    options.add_argument("--questions", type=int, default=400)
    options.add_argument("--trials", type=int, default=20)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        os.environ["DESIGNSEARCH_CACHE"] = str(Path(name) / "cache")
        file = read_study(write_study(Path(name), given.records, given.questions, given.trials))
        study, _ = open_study(file, load_all())
        clocked = Clocked(study.evaluator)  # type: ignore[arg-type]
        study.evaluator = clocked
        began = perf_counter()
        outcome = study.run()
        total = perf_counter() - began
    own = total - clocked.seconds
    print(f"{given.records} records, {given.questions} questions, {outcome.scored} trials, one core")
    print(f"whole study          {total:8.2f} s")
    print(f"evaluations          {clocked.seconds:8.2f} s   own work / whole: {own / total:.1%}")


if __name__ == "__main__":
    main()
