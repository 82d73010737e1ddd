"""Faults planted into sound questions, and which check catches them.

Prints, for each kind of fault, the share that the program's checks, the audit, the blind recovery, the necessity and
the uniqueness catch, each alone and all together; what slips through; and how often each refuses a sound question.
Faults are planted only into questions that pass everything, so that nothing is caught for another reason.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from planted_changes import CHANGES, reworded
from planted_history import World, build
from planted_kinds import PLANTS, Plant

from designsearch.search.supervision.checks.plan_checks import check_plan
from designsearch.search.supervision.checks.question_checks import check_question
from designsearch.search.supervision.contracts import Draft, Rejection
from designsearch.search.supervision.reading.reader import OfflineReader
from designsearch.search.supervision.reading.soft_words import SoftWords
from designsearch.search.supervision.review.reviewer import OfflineReviewer
from designsearch.search.supervision.verification.audit_stage import audited
from designsearch.search.supervision.verification.history_search import HistorySearch
from designsearch.search.supervision.verification.necessity_stage import needed
from designsearch.search.supervision.verification.recovery_stage import recovered
from designsearch.search.supervision.verification.uniqueness_stage import unique
from designsearch.search.supervision.verification_settings import VerificationSettings

CHECKS = ("program", "audit", "recovery", "necessity", "uniqueness")


Reasons = Mapping[str, str]
"""By check, why a draft is refused; only those that refuse it."""


@dataclass(frozen=True)
class Judge:
    """All checks by rules, each asked on its own.

    Attributes:
        search: over the history.
        soft: knows its words.
    """

    search: HistorySearch
    soft: SoftWords

    @classmethod
    def of(cls, world: World) -> Judge:
        """For one history."""
        return cls(HistorySearch(world.history), SoftWords(world.history.texts))

    def reasons(self, drafts: Sequence[Draft]) -> list[Reasons]:
        """Which checks refuse each draft, and why."""
        reader = OfflineReader(self.soft)
        program = [
            [*check_plan(d.plan, d.material), *check_question(d.question, d.plan, d.material, d.as_of)] for d in drafts
        ]
        found: list[dict[str, str]] = [{"program": str(faults[0])} if faults else {} for faults in program]
        stages: dict[str, Callable[[], Sequence[object]]] = {
            "audit": lambda: audited(drafts, OfflineReviewer(self.soft)),
            "recovery": lambda: recovered(drafts, reader),
            "necessity": lambda: needed(drafts, reader),
            "uniqueness": lambda: unique(drafts, reader, self.search, VerificationSettings()),
        }
        for name, ask in stages.items():
            for own, verdict in zip(found, ask(), strict=True):
                if isinstance(verdict, Rejection):
                    own[name] = f"{verdict.reason}: {verdict.detail}"
        return list(found)


@dataclass(frozen=True)
class Outcome:
    """What became of one kind of planted fault.

    Attributes:
        plants: the faulty drafts.
        reasons: for each, which checks refuse it.
    """

    plants: Sequence[Draft]
    reasons: Sequence[Reasons]

    def share(self, *checks: str) -> float:
        """The share that at least one of some checks refuses."""
        return sum(any(check in own for check in checks) for own in self.reasons) / max(1, len(self.reasons))

    def slipped(self) -> list[Draft]:
        """Those that no check refuses."""
        return [draft for draft, own in zip(self.plants, self.reasons, strict=True) if not own]


def run(seed: int = 0) -> dict[str, Outcome]:
    """Every kind of fault; ``sound`` for the questions as they were, and ``sound, reworded`` with other statements."""
    world = build(seed)
    judge = Judge.of(world)
    before = judge.reasons(world.drafts)
    outcomes = {"sound": Outcome(world.drafts, before)}
    passing = [draft for draft, own in zip(world.drafts, before, strict=True) if not own]
    outcomes["sound, reworded"] = _planted(world, judge, passing, reworded)
    for name, plant in {**PLANTS, **CHANGES}.items():
        outcomes[name] = _planted(world, judge, passing, plant)
    return outcomes


def _planted(world: World, judge: Judge, passing: Sequence[Draft], plant: Plant) -> Outcome:
    drafts, grown = plant(world, passing)
    own = judge if grown is None else Judge.of(grown)
    return Outcome(drafts, own.reasons(drafts))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--slips", action="store_true", help="show what slips through, and sound questions refused")
    args = parser.parse_args()
    outcomes = run(args.seed)
    print(f"{'':24}{'number':>8}" + "".join(f"{check:>12}" for check in CHECKS) + f"{'any':>8}")
    for name, outcome in outcomes.items():
        shares = "".join(f"{outcome.share(check):12.0%}" for check in CHECKS)
        print(f"{name:24}{len(outcome.plants):8}{shares}{outcome.share(*CHECKS):8.0%}")
    if args.slips:
        for name, outcome in outcomes.items():
            for draft in outcome.slipped() if not name.startswith("sound") else ():
                print(f"slips: {name}: {draft.question} -> {draft.plan.answer}: {draft.plan.facts[0].statement}")
        for name in ("sound", "sound, reworded"):
            for draft, own in zip(outcomes[name].plants, outcomes[name].reasons, strict=True):
                if own:
                    print(f"refused, though {name}: {draft.question} -> {dict(own)}")


if __name__ == "__main__":
    main()
