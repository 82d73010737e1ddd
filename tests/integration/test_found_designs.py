"""The designs that the search found hold what docs/results.md says of them, on one history of each data set."""

from __future__ import annotations

import os
from pathlib import Path
from statistics import mean

import pytest

import designsearch.designs
from designsearch.dsl.validate import load_design_file
from designsearch.runtime.histories.base import load
from designsearch.runtime.histories.questions import load_questions
from designsearch.runtime.operators import load_all
from designsearch.search.evaluate import Runner, Task

DATA = os.environ.get("DESIGNSEARCH_DATA")
pytestmark = pytest.mark.skipif(not DATA, reason="DESIGNSEARCH_DATA does not name the folder of official data sets")

FOLDER = Path(designsearch.designs.__file__).parent

FOUND = [
    # design, budget, metric, least value, base to beat by at least 0.1 (0.05 at large budgets)
    ("rhelm-4000", 4000, "evidence_coverage", 0.60, 0.1),
    ("rhelm-4000-generated", 4000, "evidence_coverage", 0.60, 0.1),
    ("locomo-2197-generated", 2197, "evidence_recall", 0.83, 0.1),
    ("locomo-2197", 2197, "evidence_recall", 0.88, 0.1),
    ("locomo-7743", 7743, "evidence_recall", 0.955, 0.05),
    ("locomo-11137", 11137, "evidence_recall", 0.97, 0.05),
]


def task(name: str) -> Task:
    """One history with the questions that the design was searched for."""
    assert DATA is not None
    if name.startswith("rhelm"):
        (dataset,) = load(f"{DATA}/rhelm#Jonas_Richter", sources=["conversation"])
        where = {"evidence": "conversation"}
    else:
        (dataset,) = load(f"{DATA}/locomo/locomo5.json#conv-30")
        where = {"answerable": True}
    (questions,) = load_questions("official", [dataset], where)
    return Task(dataset, questions.questions)


@pytest.mark.parametrize(("name", "budget", "metric", "least", "ahead"), FOUND, ids=[row[0] for row in FOUND])
def test_more_evidence_than_base_within_the_budget_and_no_fewer_answers(name, budget, metric, least, ahead):
    of, runner = task(name), Runner(budget)
    rows = range(len(of.questions))
    found, base = (
        runner.results(load_design_file(FOLDER / path, load_all()), of, rows)
        for path in (f"found/{name}.yaml", "baselines/bm25.yaml")
    )

    def average(results, which):
        return mean(value for r in results if (value := r.value(which)) is not None)

    assert max(r.context_tokens for r in found) <= budget
    assert average(found, metric) >= max(least, average(base, metric) + ahead)
    assert average(found, "answer_recall") >= average(base, "answer_recall")
