"""A reviewer by rules: no model, no network, the same audit every time.

It compares words with what the evidence says. Of a fact every name, number and date has to stand in its quotes, and
every other word, or one near in meaning; nothing may be denied that is said, turned into its opposite, or told of
another. A question is compared softly. It knows English and understands nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.search.metrics.typed import equal
from designsearch.search.supervision.checks.plan_graph import graph_faults
from designsearch.search.supervision.checks.plan_recompute import recompute
from designsearch.search.supervision.contracts import Audit, Draft
from designsearch.search.supervision.reading.role import OfflineRole
from designsearch.search.supervision.review.evidence import contributes
from designsearch.search.supervision.review.facts import supported
from designsearch.search.supervision.review.question import mismatch

RULES = tuple(
    "checks.leaks checks.plan_graph checks.plan_recompute checks.plan_values checks.stand_alone "
    "checks.value_in_text reading.coverage reading.role reading.soft_terms reading.soft_words reading.sources "
    "review.evidence review.fact_denials review.fact_roles review.fact_words review.facts review.question "
    "review.quoted review.reviewer review.word_pairs source_days".split()
)
"""The modules that an audit depends on."""


class OfflineReviewer(OfflineRole):
    """Audits by rules; see the module's docstring."""

    rules = RULES

    def audit(self, drafts: Sequence[Draft]) -> list[Audit]:
        """See :class:`~..contracts.Reviewer`; never fails."""
        return [self._audit(draft) for draft in drafts]

    def _audit(self, draft: Draft) -> Audit:
        problem = mismatch(draft, self._soft)
        plan = draft.plan
        if not plan.answerable:
            return Audit(answer_supported=True, question_matches=not problem, reason=problem)
        facts = {fact.id: supported(fact, draft.material, self._soft) for fact in plan.facts}
        evidence = {record: contributes(record, draft, self._soft) for record in plan.records}
        answer = _answer_problem(draft)
        said = [problem, answer, *(f"{key}: {why}" for key, why in facts.items() if why)]
        said += [f"{record}: {why}" for record, why in evidence.items() if why]
        return Audit(
            answer_supported=not answer,
            question_matches=not problem,
            facts={key: not why for key, why in facts.items()},
            evidence={record: not why for record, why in evidence.items()},
            reason="; ".join(one for one in said if one),
        )


def _answer_problem(draft: Draft) -> str:
    """Why the facts do not give the answer; empty where they do."""
    plan = draft.plan
    if any(True for _ in graph_faults(plan)):
        return "the operations form no graph"
    result, faults = recompute(plan, draft.material)
    if faults:
        return str(faults[0])
    return "" if equal(plan.answer, result, plan.answer_type) else "the operations give another answer"
