"""What a learned memory policy is worth on users that nothing was learnt from, against all that it must beat.

The users of a data set are divided into folds. On the others a supervised policy is fitted, a policy learns from
rewards from there on, and another from rewards alone; all are measured on the fold's users, as are the inner cascade
taken once, with a cut-off a question, several queries with RRF, the supervised selector on the same candidates, a
policy that learnt nothing, the hand-written rules and an oracle, all at equal tokens of notes and equal tokens shown a
question in the mean. Intervals (95 %) are over users. With ``--frozen``
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
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from joblib import Parallel, delayed

from designsearch.inputs import open_design, open_histories, open_tasks
from designsearch.policies import benches_of, compared
from designsearch.runtime.cache import Cache, default_folder
from designsearch.runtime.services import Services
from designsearch.search.evaluate import Task
from designsearch.search.training.judging.judged import gold_rows
from designsearch.search.training.learned.bench import Outcome
from designsearch.search.training.learned.contest import AS_DESIGNED, Row, contest, table
from designsearch.search.training.learned.learning import Learnt, Schedule, learn
from designsearch.search.training.learned.policy_training import rewarded, split, supervised, unlearned

Found = dict[str, list[Outcome]]

REWARDS = "policy, from rewards"
ALONE = "policy, from rewards alone"


def fold(tasks: Sequence[Task], left_out: Sequence[int], given: argparse.Namespace) -> Found:
    """Train without some users and measure on them; each seed's policies have names of their own."""
    design = open_design(given.design, given.set)
    services = Services(Cache(default_folder()))
    others = benches_of(design, [task for i, task in enumerate(tasks) if i not in left_out], services)
    own = benches_of(design, [tasks[i] for i in left_out], services)
    every = [range(len(bench)) for bench in others]
    start = supervised(others, every, given.tokens)
    blank = unlearned(others[0].desk.sight.names, given.tokens)
    learnt = {}
    for seed in range(given.seeds):
        rewards = Schedule(iterations=given.rounds, tokens=given.tokens, seed=seed)
        alone = replace(rewards, iterations=2 * given.rounds, rate=0.1, look=8)
        train, held_out = split(others, seed)
        first = supervised(others, train, given.tokens)
        kinds = {"supervised": (REWARDS, first, start, rewards), "nothing": (ALONE, blank, blank, alone)}
        for name, begun, whole, schedule in (kinds[kind] for kind in given.starts):
            before = time.monotonic()
            made = learn(others, train, held_out, begun, schedule)
            learnt[f"{name} {seed}"] = rewarded(others, whole, schedule, made.rounds)
            took = time.monotonic() - before
            _report(f"without {', '.join(tasks[i].name for i in left_out)}, {name}, seed {seed}, {took:.0f} s", made)
    return contest(own, {"policy, supervised": start, **learnt}, start, given.tokens)


def _report(what: str, made: Learnt) -> None:
    """The curve on the held-out questions, which are not learnt from."""
    after = f", {made.recall:.4f} after" if made.rounds else ""
    print(f"{what}: held-out recall {made.before:.4f} before{after}")
    for point in made.curve:
        if "held_out" in point:
            at = point["held_out"]["played"]
            rewards = " ".join(f"{kind} {value:.3f}" if value is not None else f"{kind} -"
                               for kind, value in at["reward_by_type"].items())  # fmt: skip
            counts = " ".join(f"{kind} {value:.2f}" for kind, value in at["actions"].items())
            evidence = f"evidence found {at['found']:.3f} kept {at['kept']:.3f} answered {at['answered']:.3f}"
            print(f"  {point['round']:3} reward {at['reward']:.3f}: {rewards} | actions {counts} | {evidence}"
                  f" | recall {point['held_out']['recall']:.4f}", flush=True)  # fmt: skip


def pooled(parts: Sequence[Found], seeds: int) -> Found:
    """The folds one after the other; the seeds of a policy from rewards as one entry."""
    endings = [f" {seed}" for seed in range(seeds)]
    names = dict.fromkeys(name[:-2] if name[-2:] in endings else name for part in parts for name in part)
    joined: Found = {}
    for name in names:
        own = [name + ending for ending in endings] if REWARDS in name else [name]
        # of some folds or seeds the window may have been that of the design already
        joined[name] = [one for key in own for part in parts for one in _of(part, key)]
    return joined


def _of(part: Found, name: str) -> list[Outcome]:
    return part[name] if name in part else part[name.removeprefix(AS_DESIGNED)]


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
    options.add_argument("--starts", nargs="+", choices=("supervised", "nothing"), default=["supervised", "nothing"])
    options.add_argument("--rounds", type=int, default=12)
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
    found = Parallel(n_jobs=given.jobs)(delayed(fold)(tasks, list(part), given) for part in parts)
    users = [task.name for task in tasks for q in task.questions if q.answerable and gold_rows(q, task.full)]
    _show(table(pooled(found, given.seeds), users), given.out)


def _show(rows: Sequence[Row], out: Path | None) -> None:
    print(f"{'':60} {'recall':>7} {'tokens':>7} {'observed':>9} {'searches':>8} {'gain':>8}")
    for row in rows:
        spread = f" ± {row.spread:.4f}" if row.spread is not None else ""
        print(f"{row.name:60} {row.recall:7.4f} {row.tokens:7.0f} {row.observed:9.0f} {row.searches:8.2f}"
              f" {row.gain:+8.4f}{spread}")  # fmt: skip
    if out is not None:
        out.write_text(json.dumps([row.to_json() for row in rows], indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
