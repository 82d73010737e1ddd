"""The claim: base and best on the locked questions, looked at once, at the end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from designsearch.dsl.design import Design, digest
from designsearch.search.compare import compare
from designsearch.search.contracts import Evaluator
from designsearch.search.decide import pairs_of
from designsearch.search.intervals import Interval
from designsearch.search.kept_files import read_json, write_json
from designsearch.search.run_folder import RunFolder
from designsearch.search.splits import Split

SPENT = "locked-slices.jsonl"
"""Beside the run folders: which locked questions were looked at, by which study."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What the search is worth, on questions that it never saw.

    Attributes:
        metric: the objective.
        base_hash, best_hash: the two designs.
        questions: questions compared.
        base, best: means of the objective.
        gain: their difference.
        interval: of the gain, for these users.
        users_interval: of the gain, for users like these; ``None`` for one user.
        gains, losses: questions better and worse.
        p: one-sided p-value for "better".
        by_history: the gain for each user.
        use: how often the slice has been looked at, this time included.
        problem: why the figures must not be read as a comparison; empty where they may.
        answer_recall: base and best, the check that the objective was not bought by dropping answers.
        generated: how many of the locked questions were generated from the histories rather than official.
    """

    metric: str
    base_hash: str
    best_hash: str
    questions: int
    base: float | None
    best: float | None
    gain: float
    interval: tuple[float, float] | None
    users_interval: tuple[float, float] | None
    gains: int
    losses: int
    p: float
    by_history: Mapping[str, float]
    use: int
    problem: str
    answer_recall: tuple[float | None, float | None] = (None, None)
    generated: int = 0

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self) | {"by_history": dict(self.by_history)}

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> Claim:
        """Read a claim back."""
        known = {name: line[name] for name in cls.__slots__ if name != "generated"}
        known["generated"] = line.get("generated", 0)
        for name in ("interval", "users_interval", "answer_recall"):
            known[name] = tuple(known[name]) if known[name] is not None else None
        return cls(**known)


def make_claim(
    folder: RunFolder, base: Design, best: Design, evaluator: Evaluator, split: Split, *, objective: str, seed: int
) -> Claim:
    """Score base and best on the locked questions, once for each pair of designs, and mark the slice as spent.

    Args:
        folder: where the claim is kept; one that was made before is returned as it was.
        base: the design that the study began with.
        best: the incumbent at the end.
        evaluator: runs designs.
        split: which questions are locked.
        objective: the metric.
        seed: of the intervals.
    """
    kept = read_json(folder.claim)
    if kept is not None and (kept["base_hash"], kept["best_hash"]) == (base.hash, best.hash):
        return Claim.from_json(kept)
    use = _spend(folder, evaluator, split, base, best)
    old, new = evaluator.evaluate(base, "locked"), evaluator.evaluate(best, "locked")
    compared = compare(pairs_of(old, new, objective), seed=seed)
    recall = compare(pairs_of(old, new, "answer_recall"), seed=seed)
    claim = Claim(
        metric=objective,
        base_hash=base.hash,
        best_hash=best.hash,
        questions=compared.count,
        base=compared.base,
        best=compared.new,
        gain=compared.gain,
        interval=_ends(compared.interval),
        users_interval=_ends(compared.users_interval),
        gains=compared.gains,
        losses=compared.losses,
        p=compared.p,
        by_history={name: one.gain for name, one in compared.by_history.items()},
        use=use,
        problem=compared.problem,
        answer_recall=(recall.base, recall.new),
        generated=split.generated("locked"),
    )
    write_json(folder.claim, claim.to_json())
    return claim


def _ends(interval: Interval | None) -> tuple[float, float] | None:
    return (interval.low, interval.high) if interval is not None else None


def _spend(folder: RunFolder, evaluator: Evaluator, split: Split, base: Design, best: Design) -> int:
    """Note that the slice was looked at; how often that makes."""
    locked = digest([[str(key) for key in split.keys("locked")], dict(evaluator.fingerprints)])
    path = folder.root.parent / SPENT
    entry = json.dumps({"slice": locked, "study": folder.root.name, "base": base.hash, "best": best.hash})
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    if entry not in lines:  # a run that ended between noting and keeping the claim looks once, not twice
        with path.open("a", encoding="utf-8") as file:
            file.write(entry + "\n")
        lines.append(entry)
    return sum(f'"slice": "{locked}"' in line for line in lines)
