"""What rules are asked about: a design, its failures, and which rules are tried one after another."""

from __future__ import annotations

from designsearch.dsl.validate import load_design
from designsearch.runtime.operators import load_all
from designsearch.search.contracts import Failure, GoldRecord
from designsearch.search.proposers.base import Attempt, ProposalState
from designsearch.search.proposers.rules import RulesProposer

BASE = """\
version: 1
storage:
  units: {op: records}   # what one memory is
retrieval:
  - {op: bm25, k: 100}
context:
  item: "[{{ unit.time | day }}] {{ unit.author }}: {{ unit.text }}"
"""


def failures(count=20, kind="cut", category="retrieval", lost_at="context", role="user", others=0.0, several=1):
    gold = tuple(GoldRecord(f"r{i}", "short text", role, kind=kind, lost_at=lost_at) for i in range(several))
    roles = {role: 1 - others, "assistant" if role == "user" else "user": others}
    return [
        Failure(f"q{i}", "h", "?", "a", category, kind, lost_at, 80, gold, context_roles=roles) for i in range(count)
    ]


def state(text=BASE, found=(), attempts=(), tried=(), score=0.3, helper=False) -> ProposalState:
    design = load_design(text, "design.yaml", load_all())
    return ProposalState(
        text=text, design=design, score=score, failures=list(found), attempts=tuple(attempts),
        tried=frozenset({design.hash, *tried}), registry=load_all(), seed=0, ordinal=len(attempts),
        objective="evidence_coverage", context_budget=4000, helper=helper,
    )  # fmt: skip


def order(found, text=BASE, limit=60, helper=False) -> list[str]:
    """The rules that are tried one after another while everything is rejected."""
    attempts, tried, names = [], [], []
    while len(names) < limit:
        now = state(text, found, attempts, tried, helper=helper)
        proposal = RulesProposer().propose(now)
        if proposal is None:
            break
        design = load_design(proposal.text, "x", load_all())
        assert design.hash not in now.tried
        tried.append(design.hash)
        names.append(proposal.params["rule"])
        attempts.append(Attempt(len(attempts), proposal, design.hash, now.design.hash, "rejected", 0.2, -0.1))
    return names
