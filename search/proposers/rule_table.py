"""An expert's table: what to try for which failures, and how much of them it may repair."""

from __future__ import annotations

from designsearch.search.proposers.context_rules import CONTEXT_RULES
from designsearch.search.proposers.model_rules import MODEL_RULES
from designsearch.search.proposers.policy_rules import POLICY_RULES
from designsearch.search.proposers.rule import Rule
from designsearch.search.proposers.search_rules import SEARCH_RULES
from designsearch.search.proposers.storage_rules import STORAGE_RULES

RULES: tuple[Rule, ...] = (
    *STORAGE_RULES,
    *SEARCH_RULES,
    *POLICY_RULES,
    *CONTEXT_RULES,
    *MODEL_RULES,
)
"""All rules; which one is tried first is a matter of what they expect."""
