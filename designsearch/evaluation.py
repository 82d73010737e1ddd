"""Designs measured on the same questions, with what any design is measured against."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from designsearch.dsl.design import Design
from designsearch.play import Play, PlayFigures, play_figures, plays
from designsearch.search.compare import Comparison, compare, pair
from designsearch.search.evaluate import Runner, Task
from designsearch.search.judge_agreement import Agreement, agreement
from designsearch.search.latency import Latency, latency
from designsearch.search.references import REFERENCES, reference_results
from designsearch.search.report import Report, report
from designsearch.search.results import QuestionResult
from designsearch.search.scores import scores
from designsearch.search.speakers import with_all_speakers
from designsearch.search.study_refs import is_study_ref

Kind = Literal["design", "all speakers", "reference"]

COMPARED = ("accuracy", "evidence_coverage", "evidence_recall", "answer_recall", "f1")
"""The metrics whose differences are shown, where they were measured."""


@dataclass(frozen=True)
class Measured:
    """One row of an evaluation.

    Attributes:
        label: its name, unique among the designs.
        kind: a design as given; the same storing what every speaker said; or a reference.
        design: the design; ``None`` for a reference.
        results: one a question and replicate.
        latency: time of a question asked alone; ``None`` for a reference.
        seed: of the report's intervals.
        played: the episodes of its memory policies; none where it has none.
    """

    label: str
    kind: Kind
    design: Design | None
    results: Sequence[QuestionResult]
    latency: Latency | None
    seed: int
    played: Sequence[Play] = ()

    @cached_property
    def policies(self) -> list[PlayFigures]:
        """What its memory policies did."""
        return play_figures(self.played)

    @cached_property
    def report(self) -> Report:
        """Its results added up."""
        return report(self.results, seed=self.seed)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "label": self.label,
            "kind": self.kind,
            "hash": self.design.hash if self.design else None,
            "report": self.report.to_json(),
            "latency": self.latency.to_json() if self.latency else None,
        } | ({"policies": [found.to_json() for found in self.policies]} if self.played else {})


def measure_all(
    designs: Sequence[Design],
    tasks: Sequence[Task],
    runner: Runner,
    *,
    references: bool = True,
    seed: int = 0,
    tell: Callable[[str], None] = lambda _: None,
) -> list[Measured]:
    """Measure designs, each also with all speakers' text where it stores one alone, and the references.

    Args:
        designs: what to measure.
        tasks: the histories with their questions.
        runner: budget, services, view, answerer and judge.
        references: whether the references are measured too.
        seed: of the intervals and of the random reference.
        tell: hears the name of each row before it is measured.
    """
    rows: list[Measured] = []

    def measured(label: str, kind: Kind, design: Design) -> Measured:
        tell(label)
        results: list[QuestionResult] = []
        played: list[Play] = []
        for task in tasks:
            passes = runner.passes(design, task, range(len(task.questions)))
            by_row = runner.results_by_row(label, design, passes)
            results += [result for row in range(len(task.questions)) for result in by_row[row]]
            played += plays(passes)
        return Measured(label, kind, design, results, latency(runner, design, tasks), seed, played)

    for label, design in zip(labels(designs), designs, strict=True):
        rows.append(measured(label, "design", design))
        everybody = with_all_speakers(design)
        if everybody is not None:
            rows.append(measured(f"{label}, all speakers", "all speakers", everybody))
    for kind in REFERENCES if references else ():
        tell(kind)
        results = [
            r for task in tasks for r in reference_results(runner, task, range(len(task.questions)), kind, seed=seed)
        ]
        rows.append(Measured(kind, "reference", None, results, None, seed))
    return rows


def judging(rows: Sequence[Measured], tasks: Sequence[Task], runner: Runner, *, seed: int = 0) -> Agreement | None:
    """What the judge said of all rows and how far it can be trusted; ``None`` where there is none.

    Some further answers are judged for it, whose verdict is known.
    """
    if runner.judge is None:
        return None
    return agreement(runner.judge, tasks, [result for row in rows for result in row.results], seed=seed)


def labels(designs: Sequence[Design]) -> list[str]:
    """A short name for each design, no two alike.

    It is what the user called a design of a study, as ``berlin@best``, since that mostly bears the name of the study's
    base; else its own name, else its file's. Names that are not unique get the hash, the same design a number.
    """
    names = [_name_of(design) for design in designs]
    hashed = [
        name if names.count(name) == 1 else f"{name} {design.hash[:6]}"
        for name, design in zip(names, designs, strict=True)
    ]
    nth = [hashed[:i].count(name) for i, name in enumerate(hashed)]
    return [f"{name} ({n + 1})" if n else name for name, n in zip(hashed, nth, strict=True)]


def _name_of(design: Design) -> str:
    file = design.file.rpartition("/")[2]
    if is_study_ref(design.file):
        return file.replace(".yaml@", "@")
    return design.name or file.removesuffix(".yaml")


def differences(base: Measured, other: Measured) -> dict[str, Comparison]:
    """How another design differs from the first, metric by metric, on the questions that both were measured on."""
    found = {}
    for metric in COMPARED:
        if metric in base.report.metrics and metric in other.report.metrics:
            found[metric] = compare(pair(scores(base.results, metric), scores(other.results, metric)), seed=base.seed)
    return found
