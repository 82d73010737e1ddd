"""The audit of drafts by a model that sees everything: records, plan, question and answer."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.runtime.models.base import Model
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Reply, Request
from designsearch.search.supervision.contracts import Audit, Draft
from designsearch.search.supervision.models.asking import ask, fingerprint_of
from designsearch.search.supervision.models.numbered import Numbered
from designsearch.search.supervision.models.plan_requests import plan_text

AUDIT = "supervise/audit"

_YES_OR_NO = {"type": "boolean"}

SCHEMA = object_of(
    reason={"type": "string"},
    answer_supported=_YES_OR_NO,
    question_matches=_YES_OR_NO,
    facts={"type": "array", "items": object_of(id={"type": "string"}, supported=_YES_OR_NO)},
    evidence={"type": "array", "items": object_of(record={"type": "integer"}, contributes=_YES_OR_NO)},
)
"""The reason stands first, so that a model that writes in order has looked before it says the verdicts."""


class ModelReviewer:
    """A model audits drafts; see :class:`~..contracts.Reviewer`.

    Attributes:
        unknown_numbers: ids of facts and numbers of records in replies so far that the draft does not have.

    Args:
        model: the reviewer.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.unknown_numbers = 0

    @property
    def fingerprint(self) -> str:
        """Of model and prompt."""
        return fingerprint_of(self._model, [AUDIT])

    def audit(self, drafts: Sequence[Draft]) -> list[Audit]:
        """See :class:`~designsearch.search.supervision.contracts.Reviewer`; one request a draft."""
        replies = ask(self._model, [_request(draft) for draft in drafts])
        return [self._audit(*pair) for pair in zip(drafts, replies, strict=True)]

    def _audit(self, draft: Draft, reply: Reply) -> Audit:
        """What the reply says; what it says nothing of has not passed, and of two verdicts the worse one counts."""
        if not reply.ok:
            return Audit(failure=reply.why)
        said, records = reply.value, Numbered(draft.material.sources)
        facts = [(one["id"], one["supported"]) for one in said["facts"]]
        shown = [(records.source(one["record"]), one["contributes"]) for one in said["evidence"]]
        evidence = [(source.record if source else "", verdict) for source, verdict in shown]
        return Audit(
            answer_supported=said["answer_supported"],
            question_matches=said["question_matches"],
            facts=self._verdicts([fact.id for fact in draft.plan.facts], facts),
            evidence=self._verdicts(draft.plan.records, evidence),
            reason=said["reason"],
        )

    def _verdicts(self, wanted: Sequence[str], said: Sequence[tuple[str, bool]]) -> dict[str, bool]:
        self.unknown_numbers += sum(name not in wanted for name, _ in said)
        return {one: any(n == one for n, _ in said) and all(v for n, v in said if n == one) for one in wanted}


def _request(draft: Draft) -> Request:
    records = Numbered(draft.material.sources)
    return prompted(
        AUDIT,
        SCHEMA,
        records=records.texts,
        plan=plan_text(draft.plan, records),
        question=draft.question,
        answerable=draft.plan.answerable,
        as_of=draft.as_of or "",
    )
