"""What a learned memory policy is worth on users that nothing was learnt from, against all that it must beat.

The users of a data set are divided into folds. On the others a supervised policy is fitted and a policy learns from
rewards; both are measured on the fold's users, as are the inner cascade taken once, with a cut-off a question, several
queries with RRF, the supervised selector on the same candidates, a policy that learnt nothing, the hand-written rules
and an oracle, all at equal tokens of notes a question in the mean. Intervals (95 %) are over users. With ``--frozen``
a file of weights is measured as it is, without folds, as on another data set.

    python benchmarks/policy.py designs/found/rhelm-policy.yaml DATA/rhelm --format rhelm --sources conversation \
        --where evidence=conversation
    python benchmarks/policy.py designs/found/rhelm-policy.yaml DATA/locomo/locomo5.json --frozen --set "..."
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from joblib import Parallel, delayed

from designsearch.dsl.design import Design
from designsearch.inputs import open_design, open_histories, open_tasks
from designsearch.policies import benches_of, compared
from designsearch.runtime.cache import Cache, default_folder
from designsearch.runtime.services import Services
from designsearch.search.evaluate import Task
from designsearch.search.training.learned.bench import Outcome
from designsearch.search.training.learned.contest import Row, contest, table
from designsearch.search.training.learned.learning import Schedule, learn
from designsearch.search.training.learned.policy_training import split, supervised

Found = dict[str, list[Outcome]]


def fold(design: Design, tasks: Sequence[Task], left_out: Sequence[int], given: argparse.Namespace) -> Found:
    """Train without some users and measure on them; of several seeds the outcomes stand one after the other."""
    services = Services(Cache(default_folder()))
    others = benches_of(design, [task for i, task in enumerate(tasks) if i not in left_out], services)
    own = benches_of(design, [tasks[i] for i in left_out], services)
    start = supervised(others, [range(len(bench)) for bench in others], given.tokens)
    learnt = {}
    for seed in range(given.seeds):
        train, held_out = split(others, seed)
        schedule = Schedule(
            iterations=given.rounds, questions=given.per_round, look=4, rate=0.01, tokens=given.tokens, seed=seed
        )
        made = learn(others, train, held_out, start, schedule)
        print(f"without {[tasks[i].name for i in left_out]}, seed {seed}: held-out recall {made.before:.4f} before, "
              f"{made.recall:.4f} after", flush=True)  # fmt: skip
        learnt[f"policy, from rewards {seed}"] = made.weights
    return contest(own, {"policy, supervised": start, **learnt}, start, given.tokens)


def pooled(parts: Sequence[Found], seeds: int) -> Found:
    """The folds one after the other; the seeds of the policy from rewards as one entry."""
    names = list(parts[0])
    joined = {name: [one for part in parts for one in part[name]] for name in names}
    several = [joined.pop(f"policy, from rewards {seed}") for seed in range(seeds)]
    return joined | {"policy, from rewards": [one for own in several for one in own]}


def main() -> None:
    """Measure and print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("design")
    options.add_argument("data", nargs="+")
    options.add_argument("--format", default="auto")
    options.add_argument("--sources", action="append")
    options.add_argument("--where", action="append", default=[])
    options.add_argument("--set", action="append", default=[])
    options.add_argument("--frozen", action="store_true")
    options.add_argument("--folds", type=int, default=3)
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--rounds", type=int, default=8)
    options.add_argument("--per-round", type=int, default=12)
    options.add_argument("--tokens", type=int, default=2000)
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--out", type=Path)
    given = options.parse_args()
    design = open_design(given.design, given.set)
    tasks, _ = open_tasks(open_histories(given.data, given.format, given.sources), "official", given.where)
    if given.frozen:
        _show(compared(design, tasks, Services(Cache(default_folder())), given.tokens), given.out)
        return
    size = -(-len(tasks) // given.folds)
    parts = [range(i, min(len(tasks), i + size)) for i in range(0, len(tasks), size)]
    found = Parallel(n_jobs=given.jobs)(delayed(fold)(design, tasks, list(part), given) for part in parts)
    users = [task.name for task in tasks for q in task.questions if q.evidence and q.answerable]
    _show(table(pooled(found, given.seeds), users), given.out)


def _show(rows: Sequence[Row], out: Path | None) -> None:
    print(f"{'':40} {'recall':>7} {'tokens':>7} {'observed':>9} {'searches':>8} {'gain':>8}")
    for row in rows:
        spread = f" ± {row.spread:.4f}" if row.spread is not None else ""
        print(f"{row.name:40} {row.recall:7.4f} {row.tokens:7.0f} {row.observed:9.0f} {row.searches:8.2f}"
              f" {row.gain:+8.4f}{spread}")  # fmt: skip
    if out is not None:
        out.write_text(json.dumps([row.to_json() for row in rows], indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
