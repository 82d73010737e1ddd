"""Leave one history out: for each history of a study, search on the others and measure the frozen result on it.

Each round is a study of its own whose locked share is the history left out; its ledger stays in the run folder. Printed
are coverage (or recall) of the base and of the best design on the history that was left out, with the answer recall of
both, and the mean over histories.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import copy
from pathlib import Path
from statistics import mean
from typing import Any

import yaml

from designsearch.runtime.operators import load_all
from designsearch.search.study_data import load_data
from designsearch.search.study_file import read_study
from designsearch.search.study_setup import open_study


def rounds(path: Path, trials: int, out: Path) -> list[tuple[str, Path]]:
    """One study file a history, with that history locked."""
    study = read_study(path)
    written = yaml.safe_load(path.read_text(encoding="utf-8"))
    names = [task.name for task in load_data(study).tasks]
    entry = written["data"][0]
    source = str(study.path(entry["history"]).resolve())
    made = []
    for left_out in names:
        one = copy.deepcopy(written)
        one["study"] = f"{study.name}-without-{names.index(left_out) + 1}"
        one["data"] = [_entry(entry, source, name, left_out) for name in names]
        one["base"] = str(study.path(written["base"]).resolve())
        one["split"] = {"train": 0.5, "validation": 0.5, "locked": 0}
        one["budget"] = {"trials": trials}
        out.mkdir(parents=True, exist_ok=True)
        file = out / f"{one['study']}.yaml"
        file.write_text(yaml.safe_dump(one, sort_keys=False, allow_unicode=True), encoding="utf-8")
        made.append((left_out, file))
    return made


def _entry(entry: dict[str, Any], source: str, name: str, left_out: str) -> dict[str, Any]:
    files = sorted(Path(source).glob("*.json")) if Path(source).is_dir() else []
    # a folder with one file of several histories is named by that file
    path = str(files[0]) if len(files) == 1 and entry.get("format") == "locomo" else source
    return entry | {"history": f"{path}#{name}"} | ({"split": "locked"} if name == left_out else {})


def main() -> None:
    """Run the rounds and print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("study", type=Path)
    options.add_argument("--trials", type=int, default=16)
    options.add_argument("--out", type=Path, default=Path("runs/leave-one-out"))
    given = options.parse_args()
    registry = load_all()
    rows = []
    print(f"{'history left out':32} {'base':>7} {'best':>7} {'answers':>8} {'answers':>8} {'n':>5}")
    for name, file in rounds(given.study, given.trials, given.out):
        outcome = open_study(read_study(file), registry)[0].run()
        claim = outcome.claim
        if claim is None:
            print(f"{name:32} nothing was accepted")
            continue
        row = (claim.base or 0.0, claim.best or 0.0, *(value or 0.0 for value in claim.answer_recall), claim.questions)
        rows.append(row)
        print(f"{name:32} {row[0]:7.4f} {row[1]:7.4f} {row[2]:8.4f} {row[3]:8.4f} {row[4]:5d}", flush=True)
    if rows:
        means = [mean(row[i] for row in rows) for i in range(4)]
        print(f"{'mean over histories':32} {means[0]:7.4f} {means[1]:7.4f} {means[2]:8.4f} {means[3]:8.4f}")
        total = sum(row[4] for row in rows)
        pooled = [sum(row[i] * row[4] for row in rows) / total for i in range(2)]
        print(f"{'mean over questions':32} {pooled[0]:7.4f} {pooled[1]:7.4f} {'':8} {'':8} {total:5d}")


if __name__ == "__main__":
    main()
