"""What a proposer is: a function of a study's state, of nothing else.

A proposer sees the incumbent, the failures on the *training* questions and what became of earlier proposals. It never
sees a validation question. Everything random comes from ``state.random``, which derives from the study's seed and the
ordinal of the proposal, so that a study that was interrupted goes on as if it had not been.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

from designsearch.dsl.design import Design
from designsearch.dsl.operators import Registry
from designsearch.search.contracts import Failure
from designsearch.search.study_choices import PER_CATEGORY


@dataclass(frozen=True, slots=True)
class Proposal:
    """An edited design.

    Attributes:
        text: the whole YAML after the edits.
        edits: what was done to the incumbent, as plain JSON.
        rationale: why, in a sentence.
        expected: what should become better.
        proposer: who proposes it.
        params: what its proposer wants to remember, such as the rule that it follows; plain JSON. Calls to a model that
            it took stand under ``calls``, their price under ``cost``.
        problem: why there is no design to evaluate, such as an edit that finds nothing to change; empty where there is.
    """

    text: str
    edits: tuple[Mapping[str, Any], ...] = ()
    rationale: str = ""
    expected: str = ""
    proposer: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""

    @property
    def calls(self) -> int:
        """Calls to models that it took to make it."""
        return int(self.params.get("calls", 0))

    @property
    def cost(self) -> float:
        """What those calls cost, in US dollars."""
        return float(self.params.get("cost", 0.0))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON without the text, which has a file of its own."""
        line = {
            "proposer": self.proposer,
            "rationale": self.rationale,
            "expected": self.expected,
            "edits": [dict(edit) for edit in self.edits],
            "params": dict(self.params),
        }
        return line | ({"problem": self.problem} if self.problem else {})

    @classmethod
    def from_json(cls, line: Mapping[str, Any], text: str) -> Proposal:
        """Read a proposal back."""
        return cls(
            text=text,
            edits=tuple(line.get("edits", ())),
            rationale=line.get("rationale", ""),
            expected=line.get("expected", ""),
            proposer=line.get("proposer", ""),
            params=line.get("params", {}),
            problem=line.get("problem", ""),
        )


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of a proposal.

    Attributes:
        number: the trial's number.
        proposal: the proposal.
        design_hash: identity of its design; empty where it was invalid.
        parent: identity of the incumbent that it was made from.
        decision: ``accepted``, ``rejected``, ``indecisive``; or why it was not scored.
        value: its validation score; ``None`` where it was not scored.
        gain: mean difference to the incumbent; ``None`` where it was not scored, or where it lost a confirmation:
            of that a proposer may know no more than that it was lost.
        reason: one sentence about the decision.
        parameters: the tunable settings of its design, by name.
        work: what it took, where evaluating a design is 1; see :func:`work_of`.
    """

    number: int
    proposal: Proposal
    design_hash: str
    parent: str
    decision: str
    value: float | None = None
    gain: float | None = None
    reason: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    work: float = 1.0

    @property
    def accepted(self) -> bool:
        """Whether it became the incumbent."""
        return self.decision == "accepted"

    def as_told(self, *, confirmed: bool) -> Attempt:
        """What a proposer may know: of a confirmation that was lost, no more than that it was lost."""
        if self.accepted or not confirmed:
            return self
        return replace(self, gain=None, reason="lost its confirmation on the reserved slice")


def work_of(proposal: Proposal, calls: int) -> float:
    """The work in a proposal, where evaluating its design is 1: ``1 + its calls / max(1, calls of evaluating it)``.

    Calls depend neither on the machine nor on what a cache held, as a cached reply says what it took at first.

    Args:
        proposal: says how many calls to a model it took.
        calls: calls to models that the evaluation of its design took.
    """
    return round(1 + proposal.calls / max(1, calls), 4)


@dataclass(frozen=True)
class ProposalState:
    """All that a proposer may know.

    Attributes:
        text: the incumbent's YAML.
        design: the incumbent.
        score: its validation score.
        failures: its failures on the training questions, all of them, in order.
        attempts: all earlier proposals in order.
        tried: identities of all designs that must not be proposed again.
        registry: what designs may be made of.
        seed: of the study.
        ordinal: number of proposals that are finished.
        objective: the metric that is to rise.
        context_budget: tokens of context.
        base_score: validation score of the base.
        helper: whether the study has a model for the role helper, so that designs may use operators marked LM.
    """

    text: str
    design: Design
    score: float
    failures: Sequence[Failure]
    attempts: Sequence[Attempt]
    tried: frozenset[str]
    registry: Registry
    seed: int
    ordinal: int
    objective: str
    context_budget: int
    base_score: float = 0.0
    helper: bool = False

    def random(self, label: str) -> random.Random:
        """A generator of its own for each purpose and proposal."""
        return random.Random(f"{self.seed}:{self.ordinal}:{label}")  # noqa: S311  chance, no secret

    @cached_property
    def totals(self) -> Counter[tuple[str, str]]:
        """Number of failures by category and kind."""
        return Counter((failure.category, failure.kind) for failure in self.failures)

    @cached_property
    def sample(self) -> list[Failure]:
        """At most ten failures of each category, drawn once for each incumbent, without replacement."""
        generator = random.Random(f"{self.seed}:{self.design.hash}:failures")  # noqa: S311
        chosen: list[Failure] = []
        for category in sorted({failure.category for failure in self.failures}):
            own = [failure for failure in self.failures if failure.category == category]
            chosen += generator.sample(own, min(PER_CATEGORY, len(own)))
        return chosen


class Proposer(Protocol):
    """Proposes revisions.

    Attributes:
        name: as studies name it.
    """

    name: str

    def propose(self, state: ProposalState) -> Proposal | None:
        """A valid design that is not in ``state.tried``; ``None`` where there is nothing left to propose.

        A model may fail at that: then the proposal names its ``problem``, or repeats a design, and is entered as such.

        Raises:
            OutOfBudgetError, CannotContinueError: a model cannot be asked any more.
        """
        ...
