"""How many bundles got how far, and why the others did not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, get_args

from designsearch.search.supervision.contracts import Stage
from designsearch.search.supervision.items import Item
from designsearch.search.supervision.ledger import End

STAGES: tuple[Stage, ...] = get_args(Stage)

STEPS: tuple[tuple[str, Stage | None], ...] = (
    ("bundles", None),
    ("plans", "plan"),
    ("plans that pass", "check"),
    ("questions", "question"),
    ("audited", "audit"),
    ("recovered blindly", "recovery"),
    ("all evidence needed", "necessity"),
    ("one answer", "uniqueness"),
    ("good", "selection"),
    ("kept", None),
)
"""What is counted, each with the stage that it has passed."""

CHECKED = ("audit", "recovery", "necessity", "uniqueness")
"""Stages of the verification, which may be switched off."""


class Funnel:
    """Counts the lines of a ledger.

    Attributes:
        reasons: by stage and reason, how often it was lost there.
        kept: questions that were taken.
        failed: bundles of which nothing was found out, as a role failed.

    Args:
        wanted: number of questions asked for.
        off: stages that are switched off.
    """

    def __init__(self, wanted: int, off: Sequence[str] = ()) -> None:
        self.wanted = wanted
        self.reasons: Counter[tuple[str, str]] = Counter()
        self.kept = self.failed = self.bundles = 0
        self._off = off

    def enter(self, line: Item | End) -> None:
        """Count a line."""
        if isinstance(line, End):
            self.kept += len(line.taken)
            return
        self.bundles += 1
        self.kept += line.outcome == "kept"
        if line.lost is not None:
            self.reasons[line.lost.stage, line.lost.reason] += 1
            self.failed += line.lost.failed

    def steps(self) -> dict[str, int]:
        """How many got how far, in order; without steps that are switched off."""
        lost = Counter[str]()
        for (where, _), number in self.reasons.items():
            lost[where] += number
        found = {"bundles": self.bundles}
        left = self.bundles
        for name, stage in STEPS[1:-1]:
            left -= lost[stage or ""]
            if stage not in self._off:
                found[name] = left
        return found | {"kept": self.kept}

    def document(self) -> dict[str, Any]:
        """Plain values."""
        ranked = sorted(self.reasons.items(), key=lambda one: (STAGES.index(one[0][0]), -one[1], one[0][1]))
        return {
            "wanted": self.wanted,
            "steps": self.steps(),
            "rejected": [{"stage": stage, "reason": reason, "count": n} for (stage, reason), n in ranked],
            "failed": self.failed,
        }


def counted(funnel: Funnel, lines: Iterable[Item | End]) -> Funnel:
    """The funnel after those lines."""
    for line in lines:
        funnel.enter(line)
    return funnel
