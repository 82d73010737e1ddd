"""Propose by rules: read the failures, look the repair up, try the most promising one first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial

from designsearch.search.proposers.base import Attempt, Proposal, ProposalState
from designsearch.search.proposers.merge import merges
from designsearch.search.proposers.profile import Profile
from designsearch.search.proposers.rule import Rule
from designsearch.search.proposers.rule_table import RULES
from designsearch.search.proposers.workpiece import Workpiece, revised

_DISCOUNT = 0.5
"""What is left of a rule's expectation each time that it was tried in vain."""

_LONGEST = 60
"""Characters of another proposer's rationale that a merge repeats."""


class RulesProposer:
    """Goes through the table in order of expected gain, first what calls no model; done where nothing is new."""

    name = "rules"

    def propose(self, state: ProposalState) -> Proposal | None:
        """The edits of the most promising rule, or of revisions that each did some good but not enough."""
        profile = Profile.of(state.failures)
        for candidate in sorted(_candidates(state, profile), key=lambda c: (c.calls_model, -c.expected, c.name)):
            piece = revised(state, candidate.change)
            if piece is not None:
                return piece.proposal(
                    rationale=candidate.rationale,
                    expected=candidate.hopes,
                    proposer=self.name,
                    params={"rule": candidate.name, "expected": round(candidate.expected, 4)},
                )
        return None


@dataclass(frozen=True, slots=True)
class _Candidate:
    name: str
    expected: float
    rationale: str
    hopes: str
    change: Callable[[Workpiece], None]
    calls_model: bool = False


def _candidates(state: ProposalState, profile: Profile) -> Iterator[_Candidate]:
    failed = Counter(str(a.proposal.params.get("rule")) for a in state.attempts if not a.accepted)
    piece = Workpiece.of(state)
    for rule in RULES:
        expected = rule.expected(profile, piece) * _DISCOUNT ** failed[rule.name]
        if expected > 0:
            change = partial(_follow, rule, profile)
            yield _Candidate(rule.name, expected, _rationale(rule, profile), rule.hopes, change, rule.calls_model)
    for merge in merges(state):
        done = ", ".join(f"{_did(attempt)} ({attempt.gain:+.4f})" for attempt in merge.attempts)
        rationale = f"together, as each did a little good but not surely: {done}"
        yield _Candidate(merge.name, merge.expected, rationale, "their gains add up", merge.change)


def _did(attempt: Attempt) -> str:
    """What a revision did, in a few words; not its number, which an interruption changes."""
    rationale = attempt.proposal.rationale
    if attempt.proposal.proposer == RulesProposer.name:
        return rationale.partition(": ")[0]  # behind it the reason
    return rationale if len(rationale) <= _LONGEST else rationale[: _LONGEST - 1] + "…"


def _follow(rule: Rule, profile: Profile, piece: Workpiece) -> None:
    rule.change(piece, profile)


def _rationale(rule: Rule, profile: Profile) -> str:
    figures: dict[str, float | str] = {**asdict(profile), "missed": profile.missed, "ranked_low": profile.ranked_low}
    return f"{rule.does}: {rule.because}".format(**figures)
