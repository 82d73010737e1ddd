"""Propose by rules: read the failures, look the repair up, try the most promising one first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from designsearch.dsl.problems import UserError
from designsearch.search.proposers.base import Proposal, ProposalState
from designsearch.search.proposers.profile import Profile
from designsearch.search.proposers.rule_table import RULES, Rule
from designsearch.search.proposers.workpiece import Workpiece

_DISCOUNT = 0.5
"""What is left of a rule's expectation each time that it was tried in vain."""

_BY_NAME = {rule.name: rule for rule in RULES}


@dataclass(frozen=True, slots=True)
class _Candidate:
    expected: float
    rules: tuple[Rule, ...]

    @property
    def name(self) -> str:
        return "+".join(rule.name for rule in self.rules)


class RulesProposer:
    """Goes through the table in order of expected gain; done where nothing in it is new for the incumbent."""

    name = "rules"

    def propose(self, state: ProposalState) -> Proposal | None:
        """The edits of the most promising rule, or of two that each did some good but not enough."""
        profile = Profile.of(state.failures)
        for candidate in sorted(_candidates(state, profile), key=lambda c: (-c.expected, c.name)):
            piece = Workpiece(state.text, state.registry)
            try:
                for rule in candidate.rules:
                    rule.change(piece, profile)
            except UserError:
                continue
            if piece.edits and piece.fresh(state) is not None:
                return piece.proposal(
                    rationale="; ".join(_rationale(rule, profile) for rule in candidate.rules),
                    expected="; ".join(rule.hopes for rule in candidate.rules),
                    proposer=self.name,
                    params={"rule": candidate.name, "expected": round(candidate.expected, 4)},
                )
        return None


def _candidates(state: ProposalState, profile: Profile) -> Iterator[_Candidate]:
    failed = Counter(str(a.proposal.params.get("rule")) for a in state.attempts if not a.accepted)
    piece = Workpiece(state.text, state.registry)
    for rule in RULES:
        expected = rule.expected(profile, piece) * _DISCOUNT ** failed[rule.name]
        if expected > 0:
            yield _Candidate(expected, (rule,))
    yield from _pairs(state)


def _pairs(state: ProposalState) -> Iterator[_Candidate]:
    """Two rules that were each a little better on this incumbent, though not surely, may be so together."""
    room = max(1e-9, 1 - state.score)
    good = [
        (attempt.gain / room, _BY_NAME[name])
        for attempt in state.attempts
        if attempt.parent == state.design.hash
        and not attempt.accepted
        and attempt.gain is not None
        and attempt.gain > 0
        and (name := str(attempt.proposal.params.get("rule"))) in _BY_NAME
    ]
    for i, (gain, rule) in enumerate(good):
        for other_gain, other in good[i + 1 :]:
            yield _Candidate(gain + other_gain, (rule, other))


def _rationale(rule: Rule, profile: Profile) -> str:
    return f"{rule.does}: {rule.because}".format(**_figures(profile))


def _figures(profile: Profile) -> dict[str, float | str]:
    return {**asdict(profile), "missed": profile.missed}
