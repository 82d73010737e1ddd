"""What the four views of events find, and what more of them costs: two studies of AiO-Mem's paper, without a model.

``views``: a question and one of its gold records are a pair; a view covers it where an event with that record is among
the first K that the view finds for the question. Printed are the share of pairs that each view and all together cover,
by kind of question, and for each of the 15 combinations the share that exactly these views cover and that any of them
does. A view is searched with the question; with ``--queries`` with all that the policy of rules searches for about it
(the paper: with the queries of its trained policy). ``k``: evidence recall and tokens of the context when the K best
of the fused ranking are shown, without a budget.

    python benchmarks/event_views.py --study views
    python benchmarks/event_views.py --study views --queries
    python benchmarks/event_views.py --study k

The data is named by DESIGNSEARCH_DATA. The paper's figures are of its own model, embedder and searches.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from designsearch.inputs import open_design, open_histories, open_tasks
from designsearch.runtime.compile import Pipeline, compile_design
from designsearch.runtime.records import Queries, Question, Rankings
from designsearch.runtime.services import Services
from designsearch.search.evaluate import Task

DESIGN = Path(__file__).resolve().parents[1] / "designs/systems/aio-mem.yaml"
POLICY = DESIGN.with_name("aio-mem-policy.yaml")
VIEWS = ("raw", "summary", "anchors", "phrase")
SEARCHES = {
    "raw": "{op: bm25, k: 200}, {op: dense, k: 200}, {op: rrf, kappa: 60}",
    "summary": "{op: dense, view: summary, k: 200}",
    "anchors": "{op: bm25, view: anchors, k: 200}",
    "phrase": "{op: dense, view: phrase, k: 200}",
}
"""How AiO-Mem searches each view."""
SIZES = (5, 10, 15, 20, 25, 30)
UNLIMITED = 1_000_000
PAPER = {5: (73.62, 2197), 20: (88.16, 7743), 30: (90.82, 11137)}
"""Recall in per cent and tokens, by K."""


def by_views(tasks: Sequence[Task], k: int, units: str, *, several: bool) -> None:
    """Print what each view and each combination of views covers; with several queries what any of them finds."""
    services = Services()
    asked = [_asked(task, units, services) if several else [[q.question] for q in task.questions] for task in tasks]
    print(f"{np.mean([len(own) for task in asked for own in task]):.2f} queries a question")
    pipelines = {
        view: _pipeline(f"version: 1\nstorage: {{units: {units}}}\nretrieval: [{stages}]\n", services)
        for view, stages in SEARCHES.items()
    }
    types: list[str] = []
    rows: list[NDArray[np.bool_]] = []
    for task, queries in zip(tasks, asked, strict=True):
        found_by = [_found(pipeline, task, queries, k) for pipeline in pipelines.values()]
        for question, *found in zip(task.questions, *found_by, strict=True):
            for gold in _golds(question):
                types.append(question.type)
                rows.append(np.array([gold in own for own in found]))
    covered = np.stack(rows)
    print(f"\n| questions | pairs | {' | '.join(VIEWS)} | any |\n| --- |{' --- |' * 6}")
    for kind in [*sorted(set(types)), "all"]:
        own = covered[[kind in ("all", one) for one in types]]
        shares = [*own.mean(axis=0), own.any(axis=1).mean()]
        print(f"| {kind} | {len(own)} | {' | '.join(f'{share:.1%}' for share in shares)} |")
    print("\n| views | exactly these | any of these |\n| --- | --- | --- |")
    for size in range(1, 5):
        for chosen in combinations(range(4), size):
            exactly = (covered == np.isin(np.arange(4), chosen)).all(axis=1).mean()
            some = covered[:, chosen].any(axis=1).mean()
            print(f"| {', '.join(VIEWS[i] for i in chosen)} | {exactly:.1%} | {some:.1%} |")


def by_k(tasks: Sequence[Task], units: str) -> None:
    """Print recall and tokens for several K."""
    services = Services()
    print("\n| K | evidence recall | tokens | in the paper |\n| --- | --- | --- | --- |")
    for k in SIZES:
        design = open_design(DESIGN, [f"storage.units={units}", f"retrieval[7].k={k}"])
        pipeline = compile_design(design, UNLIMITED, services)
        recalls: list[float] = []
        tokens: list[int] = []
        for task in tasks:
            memory, queries = pipeline.open(task.full), _queries(task)
            contexts = pipeline.contexts(memory, pipeline.search(memory, queries), queries)
            for question, context in zip(task.questions, contexts, strict=True):
                shown = {record for unit in context.units for record in unit.records}
                recalls.append(float(np.mean([gold in shown for gold in _golds(question)])))
                tokens.append(context.tokens)
        paper = "recall {:.2f} %, {:,} tokens".format(*PAPER[k]) if k in PAPER else ""
        print(f"| {k} | {100 * np.mean(recalls):.2f} % | {np.mean(tokens):,.0f} | {paper} |", flush=True)


def _pipeline(text: str, services: Services) -> Pipeline:
    return compile_design(open_design(text), services=services)


def _asked(task: Task, units: str, services: Services) -> list[list[str]]:
    """What the policy of rules searches for, by question."""
    design = open_design(POLICY, [f"storage.units={units}"])
    pipeline = compile_design(design, services=services)
    (step,) = pipeline.search(pipeline.open(task.full), _queries(task)).steps
    return [[search.query.text for search in one.final.searches] if one else [] for one in step.episodes]


def _found(pipeline: Pipeline, task: Task, asked: Sequence[Sequence[str]], k: int) -> list[set[str]]:
    """By question, the records of the first events that its queries find."""
    memory = pipeline.open(task.full)
    ranking: Rankings = pipeline.search(memory, Queries.of([query for own in asked for query in own])).ranking
    firsts = iter(ranking.of_question(i)[0][:k].tolist() for i in range(len(ranking)))
    return [{record for _ in own for unit in next(firsts) for record in memory.source_of(unit)[1]} for own in asked]


def _queries(task: Task) -> Queries:
    return Queries.of([question.question for question in task.questions])


def _golds(question: Question) -> list[str]:
    return list(dict.fromkeys(evidence.record for evidence in question.evidence))


def main() -> None:
    """Run one study."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--study", choices=("views", "k"), required=True)
    options.add_argument("--data", default="locomo", help="data set within DESIGNSEARCH_DATA")
    options.add_argument("--k", type=int, default=20, help="views: how many events of each view count")
    options.add_argument("--queries", action="store_true", help="views: with the queries of a policy")
    options.add_argument("--units", default="{op: events}", help="settings of the events, as in a design")
    given = options.parse_args()
    histories = open_histories([f"{os.environ['DESIGNSEARCH_DATA']}/{given.data}"])
    opened, _ = open_tasks(histories, where=("answerable=true",))
    tasks = [Task(task.dataset, tuple(q for q in task.questions if q.evidence)) for task in opened]
    print(f"{given.data}: {len(tasks)} histories, {sum(len(t.questions) for t in tasks)} questions with evidence")
    if given.study == "views":
        by_views(tasks, given.k, given.units, several=given.queries)
    else:
        by_k(tasks, given.units)


if __name__ == "__main__":
    main()
