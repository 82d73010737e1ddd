"""What generated questions are worth for users that nothing was learnt from.

The users of a data set are divided into folds. For each fold a study searches with questions generated from the other
users' histories; its design is frozen and measured on the fold's users with their official questions (transfer). Then,
for each of them, a further study starts from that design with questions generated from the user's own history
(continuation), and its design is measured on the same official questions. No study sees an official question. With
``--official`` a third study searches with the other users' official questions, for comparison. With ``--tighter 0.5``
the continuation searches at half of the tokens, where designs that bring nearly everything can still be told apart;
all designs are measured at the study's own budget. With ``--start DESIGN`` nothing is searched with other users: what
is transferred and continued from is that design, found on histories of another kind.

Printed are coverage for the base, the transferred and the continued design by user, and paired differences with 95 %
intervals over questions, pooled also over users.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import copy
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from designsearch.inputs import open_design
from designsearch.runtime.histories.base import load
from designsearch.runtime.histories.questions import load_questions
from designsearch.search.compare import Comparison, compare
from designsearch.search.decide import pairs_of
from designsearch.search.evaluate import Runner, Task
from designsearch.search.results import QuestionResult
from designsearch.search.study_file import StudyFile, read_study

OBJECTIVE = "evidence_coverage"
Results = list[QuestionResult]


class Folds:
    """The studies of one data set.

    Args:
        study: the file of a study whose questions are generated.
        out: where further studies are written and run.
        where: filters of the official questions.
    """

    def __init__(self, study: StudyFile, out: Path, where: list[str]) -> None:
        self._written = yaml.safe_load(study.file.read_text(encoding="utf-8"))
        self._written["base"] = str(study.path(self._written["base"]).resolve())
        entry = study.shape.data[0]
        self._source = str(study.path(self._written["data"][0]["history"]).resolve())
        self._where = where
        datasets = load(self._source, entry.format, sources=entry.sources)
        sets = load_questions("official", datasets, where or None)
        self.tasks = {d.name: Task(d, s.questions) for d, s in zip(datasets, sets, strict=True) if s.questions}
        self._out = out
        self._runner = Runner(budget=study.shape.context_budget)

    def search(
        self,
        name: str,
        users: list[str],
        base: str | None,
        trials: int,
        changes: dict[str, Any],
        share: float = 1.0,
    ) -> str:
        """Run a study about some users with a share of the budget of tokens; where its best design lies."""
        one = copy.deepcopy(self._written)
        one |= {"study": name, "budget": {"trials": trials}, "base": base or one["base"]}
        one["context_budget"] = int(one["context_budget"] * share)
        one["data"] = [one["data"][0] | {"history": f"{self._source}#{user}"} | changes for user in users]
        self._out.mkdir(parents=True, exist_ok=True)
        file = self._out / f"{name}.yaml"
        file.write_text(yaml.safe_dump(one, sort_keys=False, allow_unicode=True), encoding="utf-8")
        subprocess.run([sys.executable, "-m", "designsearch", "run", str(file), "-q"], check=True, stdout=sys.stderr)
        return f"{self._out}/runs/{name}@best"

    def measured(self, design: str, user: str) -> Results:
        """A design on a user's official questions."""
        task = self.tasks[user]
        return self._runner.results(open_design(design), task, range(len(task.questions)))

    @property
    def base(self) -> str:
        """The design that searches begin with."""
        return str(self._written["base"])


def main() -> None:
    """Run the folds and print the tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("study", type=Path)
    options.add_argument("--where", action="append", default=[], help="filter of the official questions")
    options.add_argument("--unseen", type=int, default=2, help="users a fold")
    options.add_argument("--trials", type=int, default=12, help="of each search over the other users")
    options.add_argument("--further", type=int, default=6, help="trials of each continuation")
    options.add_argument("--start", type=lambda path: str(Path(path).resolve()), help="a design found elsewhere")
    options.add_argument("--tighter", type=float, default=1.0, help="share of the tokens that continuations get")
    options.add_argument("--official", action="store_true", help="also search with the others' official questions")
    options.add_argument("--out", type=Path, default=Path("runs/new-users"))
    given = options.parse_args()
    folds = Folds(read_study(given.study), given.out, given.where)
    users = list(folds.tasks)
    kept: dict[str, list[Results]] = {"base": [], "transfer": [], "continuation": [], "official": []}
    print(f"{'user':32} {'n':>4} {'base':>7} {'transfer':>9} {'continued':>10} {'official':>9}  continued - transfer")
    for start in range(0, len(users), given.unseen):
        unseen = users[start : start + given.unseen]
        others = [user for user in users if user not in unseen]
        number = start // given.unseen + 1
        frozen = given.start or folds.search(f"others-{number}", others, None, given.trials, {})
        taught = _taught(folds, others, number, given)
        for user in unseen:
            name = f"user-{users.index(user) + 1}" + ("" if given.tighter == 1 else f"-{given.tighter:g}")
            name += "-from-elsewhere" if given.start else ""
            further = folds.search(name, [user], frozen, given.further, {}, given.tighter)
            designs = {"base": folds.base, "transfer": frozen, "continuation": further, "official": taught}
            found = {name: folds.measured(design, user) for name, design in designs.items() if design}
            for name, results in found.items():
                kept[name].append(results)
            _row(user, found)
    for name in ("transfer", "continuation"):
        for other in ("base", "transfer", "official"):
            if other != name and kept[other]:
                print(f"{name} - {other}: {_said(_paired(_all(kept[other]), _all(kept[name])))}")


def _taught(folds: Folds, others: list[str], number: int, given: argparse.Namespace) -> str:
    """The design found with the other users' official questions; empty where that was not asked for."""
    if not given.official:
        return ""
    changes = {"questions": "official"} | (
        {"where": dict(one.split("=", 1) for one in given.where)} if given.where else {}
    )
    return folds.search(f"official-{number}", others, None, given.trials, changes)


def _row(user: str, found: dict[str, Results]) -> None:
    change = _paired(found["transfer"], found["continuation"])
    base = _paired(found["transfer"], found["base"])
    official = f"{_paired(found['transfer'], found['official']).new:9.4f}" if "official" in found else f"{'':9}"
    figures = f"{base.new:7.4f} {change.base:9.4f} {change.new:10.4f} {official}"
    print(f"{user:32} {change.count:4d} {figures}  {_said(change)}", flush=True)


def _all(found: list[Results]) -> Results:
    return [result for own in found for result in own]


def _paired(old: Results, new: Results) -> Comparison:
    return compare(pairs_of(old, new, OBJECTIVE), seed=0)


def _said(found: Comparison) -> str:
    inside = found.interval
    return f"{found.gain:+.4f}" + (f" ({inside.low:+.4f} to {inside.high:+.4f})" if inside else "")


if __name__ == "__main__":
    main()
