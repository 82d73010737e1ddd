"""Who makes and checks questions: the roles behind the loop, by rules or by models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from designsearch.search.costs import Costs
from designsearch.search.supervision.contracts import Draft, Generator, Rejection
from designsearch.search.supervision.verification_settings import Verified

Verify = Callable[[Sequence[Draft]], "list[Verified | Rejection]"]
"""Verifies drafts; one outcome a draft, in order. Raises as :meth:`~.contracts.Reader.read` does."""


def unverified(drafts: Sequence[Draft]) -> list[Verified | Rejection]:
    """Take every draft as it is."""
    return [Verified(draft) for draft in drafts]


def as_it_is(draft: Draft) -> Draft | Rejection:
    """Leave the words of a question as they are."""
    return draft


def free() -> Costs:
    """What rules cost."""
    return {}


@dataclass(frozen=True)
class Cast:
    """The roles of one history.

    What becomes of a draft depends on the draft alone, so that drafts may be made and verified in any grouping.

    Attributes:
        generator: makes drafts.
        verify: verifies them.
        fingerprints: by role, what outcomes depend on beside the history and the settings.
        offline: whether rules play all of them, so that processes may share the work.
        costs: what models took for this history, over all runs.
        reword: puts a verified question in other words, where rules made it.
    """

    generator: Generator
    verify: Verify = unverified
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    offline: bool = True
    costs: Callable[[], Costs] = free
    reword: Callable[[Draft], Draft | Rejection] = as_it_is
