"""One trial: a proposal from the moment it is made until it stands in the ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from designsearch.dsl.design import Design
from designsearch.dsl.needs import unmet_needs
from designsearch.dsl.operators import Registry
from designsearch.dsl.problems import UserError, render
from designsearch.dsl.source import scan
from designsearch.search.accept import Verdict
from designsearch.search.books import Books, Incumbent
from designsearch.search.catalogue import parameters
from designsearch.search.compare import Pairs
from designsearch.search.contracts import Evaluator
from designsearch.search.decide import decide, pairs_of
from designsearch.search.ledger import INTERRUPTED, Ledger
from designsearch.search.measure import Measured, measure, score
from designsearch.search.proposers.base import Attempt, Proposal, work_of
from designsearch.search.purse import Purse
from designsearch.search.results import QuestionResult
from designsearch.search.run_folder import RunFolder
from designsearch.search.spent import Spent
from designsearch.search.study_file import Choice

Load = Callable[[str], Design]


@dataclass(frozen=True)
class Trials:
    """Runs trials, one after another.

    Attributes:
        ledger, folder, books: where they are entered.
        evaluator: runs designs.
        registry: what designs may be made of.
        load: reads a design.
        objective: the metric that is to rise.
        rule: when a revision is accepted.
        seed: of Monte Carlo tests.
        purse: what models take.
        helper: whether a model plays the role helper; designs that need one are invalid without.
    """

    ledger: Ledger
    folder: RunFolder
    books: Books
    evaluator: Evaluator
    registry: Registry
    load: Load
    objective: str
    rule: Choice
    seed: int
    purse: Purse = field(default_factory=Purse)
    helper: bool = False

    def run(self, proposal: Proposal, began: float) -> Attempt:
        """Evaluate a proposal and decide on it.

        Args:
            proposal: what to try.
            began: when work on it began, by ``perf_counter``.

        Returns:
            What became of it, entered into ledger, run folder and books.
        """
        design, cause = self._read(proposal)
        tree = scan(proposal.text).value if design is not None else {}
        settings = parameters(tree, self.registry) if design is not None else {}
        about: dict[str, Any] = {
            "ordinal": self.books.ordinal,
            "proposer": proposal.proposer,
            "parent": self.books.incumbent.design.hash,
            "design_hash": design.hash if design is not None else "",
        }
        number = self.ledger.begin(settings, about)
        try:
            files = self.folder.trial(number)
            files.write_proposal(proposal, {**about, "trial": number})
            made = _Made(number, proposal, about, {name: one.value for name, one in settings.items()}, began)
            if design is None:
                return self._fail(made, "invalid", cause, Spent())
            if design.hash in self.books.tried:
                return self._fail(made, "duplicate", "this design was tried before", Spent())
            measured = measure(self.evaluator, design, "validation", self.objective)
            files.write_results(measured.results)
            if measured.value is None:
                if measured.bug is not None:
                    files.write_error(measured.bug)
                return self._fail(made, measured.decision, measured.cause, measured.spent)
            return self._decide(made, design, measured, measured.value)
        except BaseException:
            # stopped by the user, the system or a cap: the proposal waits to be taken up again
            self.ledger.fail(number, INTERRUPTED, {})
            raise

    def _read(self, proposal: Proposal) -> tuple[Design | None, str]:
        if proposal.problem:
            return None, proposal.problem
        try:
            design = self.load(proposal.text)
        except UserError as error:
            return None, str(error)
        unmet = unmet_needs(design) if not self.helper else []
        return (None, render(unmet)) if unmet else (design, "")

    def _decide(self, made: _Made, design: Design, measured: Measured, value: float) -> Attempt:
        books = self.books
        verdict = decide(
            self.rule,
            books.incumbent.results,
            measured.results,
            self.objective,
            lambda: self._reserved(design),
            confirmations=books.confirmations,
            seed=self.seed,
        )
        work = self.purse.taken_by(1, perf_counter() - made.began, measured.spent)
        accepted = verdict.decision == "accepted"
        attrs = {
            "decision": verdict.decision,
            "reason": verdict.reason,
            "gain": verdict.gain,
            "gains": verdict.gains,
            "losses": verdict.losses,
            "p": verdict.p,
            "answer_recall": score(measured.results, "answer_recall"),
            "tokens": _tokens(measured.results),
            "seconds_a_question": _mean([r.seconds for r in measured.results]),
            "work": work_of(made.proposal, measured.spent.calls),
            **self._work(work),
        }
        if verdict.confirmed:
            attrs["confirmed"] = True
        if accepted:
            attrs["revision"] = books.incumbent.revision + 1
        self.ledger.complete(made.number, value, attrs)
        attempt = made.attempt(verdict, value, attrs["work"])
        books.enter(attempt, work, confirmed=verdict.confirmed)
        if accepted:
            files = self.folder.trial(made.number)
            revision = books.incumbent.revision + 1
            books.incumbent = Incumbent(revision, made.proposal.text, design, value, measured.results, files)
        return attempt

    def _reserved(self, design: Design) -> Pairs:
        """Both designs on the reserved slice."""
        old = self.evaluator.evaluate(self.books.incumbent.design, "confirm")
        return pairs_of(old, self.evaluator.evaluate(design, "confirm"), self.objective)

    def _fail(self, made: _Made, decision: str, cause: str, spent: Spent) -> Attempt:
        work = self.purse.taken_by(0, perf_counter() - made.began, spent)
        effort = work_of(made.proposal, spent.calls)
        self.ledger.fail(made.number, decision, {"reason": cause, "work": effort, **self._work(work)})
        attempt = Attempt(
            number=made.number,
            proposal=made.proposal,
            design_hash=made.about["design_hash"],
            parent=made.about["parent"],
            decision=decision,
            reason=cause,
            parameters=made.parameters,
            work=effort,
        )
        self.books.enter(attempt, work)
        return attempt

    def _work(self, work: Spent) -> dict[str, Any]:
        """What a trial took, as its attributes; by role where a model was asked."""
        attrs: dict[str, Any] = {"seconds": round(work.seconds, 3), "calls": work.calls, "cost": work.usd}
        taken = self.purse.taken()
        if taken:
            attrs["cost_by_role"] = {role: one.usd for role, one in taken.items()}
            attrs["calls_by_role"] = {role: one.calls for role, one in taken.items()}
        failed = {role: one.failures for role, one in taken.items() if one.failures}
        return attrs | ({"failed_by_role": failed} if failed else {})


@dataclass(frozen=True, slots=True)
class _Made:
    """A proposal with its trial."""

    number: int
    proposal: Proposal
    about: Mapping[str, Any]
    parameters: Mapping[str, Any]
    began: float

    def attempt(self, verdict: Verdict, value: float, work: float) -> Attempt:
        attempt = Attempt(
            number=self.number,
            proposal=self.proposal,
            design_hash=self.about["design_hash"],
            parent=self.about["parent"],
            decision=verdict.decision,
            value=value,
            gain=verdict.gain,
            reason=verdict.reason,
            parameters=self.parameters,
            work=work,
        )
        return attempt.as_told(confirmed=verdict.confirmed)


def _tokens(results: Sequence[QuestionResult]) -> float | None:
    return _mean([result.context_tokens for result in results])


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None
