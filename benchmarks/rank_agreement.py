"""How generated questions order designs, against how official questions order them.

43 designs from weak to strong, on all structural axes, are scored by evidence coverage within a budget on the official
questions of two data sets and on questions that rules generated from the same histories; no official question is seen
by the generator. A row is a generator, verified or not, and says how far both orders agree: Kendall's tau-b with its
interval over designs. The last row is what official questions say of each other: one random half of them against the
other, the mean over halvings.

    python benchmarks/rank_agreement.py                                   # the whole table
    python benchmarks/rank_agreement.py --generator direct --no-verify    # one row of it
    python benchmarks/rank_agreement.py --generator plan --designs        # and each design's coverage on both

The data sets are named by DESIGNSEARCH_DATA. Questions and scores are kept in the folder --out and found there again;
after a change of what makes or measures them, name another one.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import get_args

import numpy as np
from joblib import Parallel, delayed

from designsearch.crew import crew
from designsearch.dsl.design import Design
from designsearch.evaluation import labels
from designsearch.inputs import open_designs, open_histories, open_tasks
from designsearch.runtime.cache import Cache, content_key, default_folder
from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.records import Question
from designsearch.search.evaluate import Runner, Task
from designsearch.search.rank_agreement import Agreement, agreement
from designsearch.search.supervision.settings import Asked, GeneratorName, SupervisionSettings
from designsearch.supervising import supervise

ROOT = Path(__file__).resolve().parents[1]
BASELINES = ("bm25", "full-context", "hybrid", "rag", "recent", "sessions", "window-hybrid")
OTHERS = ("designs/systems/rag.yaml", "designs/found/rhelm-4000.yaml", "designs/found/locomo-2197.yaml")
GENERATORS: tuple[str, ...] = get_args(GeneratorName)
OFFICIAL = "official"
HALVINGS = 20

Coverages = Mapping[str, Mapping[str, Sequence[float]]]
"""By set of questions and design, whether each question's evidence is in the context whole: 1 or 0."""


@dataclass(frozen=True)
class Benchmark:
    """A data set at the setting of its study."""

    name: str
    where: tuple[str, ...]
    sources: tuple[str, ...] | None
    budget: int
    count: int

    @property
    def path(self) -> str:
        """Where it is."""
        return f"{os.environ['DESIGNSEARCH_DATA']}/{self.name}"


BENCHMARKS = (
    Benchmark("rhelm", ("evidence=conversation",), ("conversation",), 4000, 80),
    Benchmark("locomo", ("answerable=true",), None, 2197, 100),
)


@dataclass(frozen=True)
class Row:
    """A way to generate questions: who makes them, whether they are verified, and when they are asked."""

    generator: str
    verify: bool
    asked: str

    @property
    def name(self) -> str:
        """As it is printed."""
        return f"{self.generator}, {'verified' if self.verify else 'as they come'}"

    @property
    def folder(self) -> str:
        """Where its questions are kept."""
        return (
            self.generator + ("" if self.verify else "-unverified") + ("" if self.asked == "auto" else f"-{self.asked}")
        )


def designs() -> list[Design]:
    """What is ordered."""
    own = sorted(str(path) for path in (ROOT / "benchmarks/designs").glob("*.yaml"))
    given = [*(f"designs/baselines/{name}.yaml" for name in BASELINES), *OTHERS]
    return open_designs([*own, *(str(ROOT / path) for path in given)])


def question_sets(one: Benchmark, rows: Sequence[Row], out: Path) -> dict[str, dict[str, tuple[Question, ...]]]:
    """By history, the sets of questions about it that have evidence; generated ones are made where they are not yet."""
    found: dict[str, dict[str, tuple[Question, ...]]] = {}
    for task in open_tasks(open_histories([one.path], one.name, one.sources), OFFICIAL, one.where)[0]:
        found[task.name] = {OFFICIAL: _with_evidence(task.questions)}
    for row in rows:
        folder = out / "questions" / one.name / row.folder
        settings = SupervisionSettings.model_validate(
            {"count": one.count, "generator": row.generator, "verify": row.verify, "asked": row.asked}
        )
        made = supervise(one.path, folder, settings, format=one.name, sources=one.sources, resume=True)
        for name, supervision in made.items():
            found[name][row.name] = _with_evidence(supervision.questions)
    return found


def _with_evidence(questions: Sequence[Question]) -> tuple[Question, ...]:
    return tuple(question for question in questions if question.evidence)


def coverages(
    dataset: Dataset, sets: Mapping[str, tuple[Question, ...]], budget: int, folder: Path
) -> dict[str, dict[str, list[float]]]:
    """Of each set and design, the coverage of each question about one history."""
    measured: dict[str, dict[str, list[float]]] = {name: {} for name in sets}
    found = designs()
    with crew(None, ["embedder"], lambda _: None) as models:
        runner = Runner(budget, models.services(Cache(default_folder())))
        for label, design in zip(labels(found), found, strict=True):
            keys = {name: _key(dataset, design, questions, budget) for name, questions in sets.items()}
            lacking = [name for name in sets if not (folder / f"{keys[name]}.json").exists()]
            task = Task(dataset, tuple(question for name in lacking for question in sets[name]))
            results = iter(runner.results(design, task, range(len(task.questions))) if lacking else ())
            for name in lacking:
                values = [next(results).value("evidence_coverage") for _ in sets[name]]
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"{keys[name]}.json").write_text(json.dumps(values), encoding="utf-8")
            for name in sets:
                measured[name][label] = json.loads((folder / f"{keys[name]}.json").read_text(encoding="utf-8"))
    return measured


def _key(dataset: Dataset, design: Design, questions: Sequence[Question], budget: int) -> str:
    asked = [[q.question, q.as_of, [[e.record, e.quote] for e in q.evidence]] for q in questions]
    return content_key(dataset.history().fingerprint, design.hash, budget, asked)


def measure(one: Benchmark, rows: Sequence[Row], out: Path, jobs: int) -> Coverages:
    """All designs on all sets of questions, a process for a history; questions of all histories together."""
    sets = question_sets(one, rows, out)
    datasets = [dataset for dataset in open_histories([one.path], one.name, one.sources) if dataset.name in sets]
    parts = Parallel(n_jobs=jobs)(
        delayed(coverages)(dataset, sets[dataset.name], one.budget, out / "scores") for dataset in datasets
    )
    joined: dict[str, dict[str, list[float]]] = {}
    for part in parts:
        for name, by_design in part.items():
            for label, values in by_design.items():
                joined.setdefault(name, {}).setdefault(label, []).extend(v for v in values if v is not None)
    return joined


def means(by_design: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The coverage of each design."""
    return {label: mean(values) for label, values in by_design.items()}


def between_halves(official: Mapping[str, Sequence[float]]) -> float:
    """Tau-b of one half of some questions against the other, the mean over halvings."""
    matrix = np.array(list(official.values()))
    chance = np.random.default_rng(0)
    taus = []
    for _ in range(HALVINGS):
        order = chance.permutation(matrix.shape[1])
        halves = (order[: len(order) // 2], order[len(order) // 2 :])
        a, b = ({str(i): float(v) for i, v in enumerate(matrix[:, half].mean(axis=1))} for half in halves)
        taus.append(agreement(a, b).kendall or 0.0)
    return mean(taus)


def table(rows: Sequence[Row], measured: Mapping[str, Coverages]) -> None:
    """One line a row: tau-b on each data set, and the mean."""
    print(f"{'questions':34}" + "".join(f" {name:>26}" for name in measured) + f" {'mean':>7}")
    for row in rows:
        found = [agreement(means(sets[OFFICIAL]), means(sets[row.name])) for sets in measured.values()]
        cells = "".join(
            f" {_cell(one, len(next(iter(s[row.name].values())))):>26}"
            for one, s in zip(found, measured.values(), strict=True)
        )
        print(f"{row.name:34}{cells} {mean(one.kendall or 0.0 for one in found):7.3f}")
    halves = [between_halves(sets[OFFICIAL]) for sets in measured.values()]
    print(f"{'official, half against half':34}" + "".join(f" {one:>26.3f}" for one in halves) + f" {mean(halves):7.3f}")


def _cell(found: Agreement, questions: int) -> str:
    if found.kendall is None or found.interval is None:
        return f"- ({questions})"
    return f"{found.kendall:.3f} [{found.interval.low:.2f}, {found.interval.high:.2f}] ({questions})"


def by_design(rows: Sequence[Row], name: str, sets: Coverages) -> None:
    """The coverage of each design on each set, best first by official questions."""
    scores = {key: means(sets[key]) for key in (OFFICIAL, *(row.name for row in rows))}
    print(f"\n{name:26} {OFFICIAL:>9}" + "".join(f" {row.name:>31}" for row in rows))
    for label in sorted(scores[OFFICIAL], key=lambda label: -scores[OFFICIAL][label]):
        cells = "".join(f" {scores[row.name][label]:31.3f}" for row in rows)
        print(f"{label:26} {scores[OFFICIAL][label]:9.3f}{cells}")


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--generator", choices=GENERATORS, help="one row alone")
    options.add_argument("--no-verify", action="store_true", help="with --generator: the questions as they come")
    options.add_argument(
        "--asked",
        choices=get_args(Asked),
        default="auto",
        help="when generated questions are asked: some time after their evidence, as RHELM's are, or at the end of the "
        "history, as LoCoMo's are (default: auto, which finds just that)",
    )
    options.add_argument("--data", choices=[one.name for one in BENCHMARKS], help="one data set alone")
    options.add_argument("--designs", action="store_true", help="each design's coverage too")
    options.add_argument("--out", type=Path, default=Path("runs/rank-agreement"))
    options.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    given = options.parse_args()
    if given.generator:
        rows = [Row(given.generator, not given.no_verify, given.asked)]
    else:
        rows = [Row(generator, verify, given.asked) for generator in GENERATORS for verify in (True, False)]
    chosen = [one for one in BENCHMARKS if given.data in (None, one.name)]
    measured = {one.name: measure(one, rows, given.out, given.jobs) for one in chosen}
    table(rows, measured)
    for name, sets in measured.items() if given.designs else ():
        by_design(rows, name, sets)


if __name__ == "__main__":
    main()
