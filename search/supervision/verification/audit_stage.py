"""First stage of the verification: a reviewer looks at the draft with everything in view, and all has to hold."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.search.supervision.contracts import Audit, Draft, Rejection, Reviewer


def audited(drafts: Sequence[Draft], reviewer: Reviewer) -> list[Rejection | None]:
    """For each draft why the reviewer refuses it; ``None`` where everything holds.

    A fact or a record that the reviewer says nothing about does not hold.

    Raises:
        OutOfBudgetError, CannotContinueError: as the reviewer.
    """
    audits = reviewer.audit(drafts) if drafts else []
    return [_refused(draft, audit) for draft, audit in zip(drafts, audits, strict=True)]


def _refused(draft: Draft, audit: Audit) -> Rejection | None:
    if audit.failure:
        return Rejection("audit", "no audit", audit.failure, failed=True)
    if not audit.question_matches:
        return Rejection("audit", "question does not match the plan", audit.reason)
    if not draft.plan.answerable:
        return None  # there is no evidence to look at
    if not audit.answer_supported:
        return Rejection("audit", "answer not supported", audit.reason)
    unsupported = [fact.id for fact in draft.plan.facts if not audit.facts.get(fact.id)]
    if unsupported:
        return Rejection("audit", "fact not supported", f"{', '.join(unsupported)}; {audit.reason}")
    idle = [record for record in draft.plan.records if not audit.evidence.get(record)]
    if idle:
        return Rejection("audit", "evidence does not contribute", f"{', '.join(idle)}; {audit.reason}")
    return None
