"""What models took, role by role."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from designsearch.runtime.models.books.spending import Tally
from designsearch.runtime.models.settings import ROLES


@dataclass(frozen=True, slots=True)
class RoleCosts:
    """What one role took.

    Attributes:
        role: the role.
        calls: calls sent, repeated ones too.
        replies: replies handed out, those out of the cache and failed ones included.
        cached: replies out of the cache, at no cost.
        failed: failed replies by kind.
        input_tokens, output_tokens: read and written.
        usd: US dollars.
        seconds: time that the calls took, added up.
    """

    role: str
    calls: int = 0
    replies: int = 0
    cached: int = 0
    failed: Mapping[str, int] = field(default_factory=dict)
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    seconds: float = 0.0

    @property
    def failures(self) -> int:
        """Failed replies of any kind."""
        return sum(self.failed.values())

    def combined(self, other: RoleCosts, sign: int = 1) -> RoleCosts:
        """Both together; with ``sign`` -1 the one without the other."""
        failed = {
            kind: self.failed.get(kind, 0) + sign * other.failed.get(kind, 0)
            for kind in sorted({*self.failed, *other.failed})
        }
        return RoleCosts(
            self.role,
            self.calls + sign * other.calls,
            self.replies + sign * other.replies,
            self.cached + sign * other.cached,
            {kind: number for kind, number in failed.items() if number},
            self.input_tokens + sign * other.input_tokens,
            self.output_tokens + sign * other.output_tokens,
            self.usd + sign * other.usd,
            self.seconds + sign * other.seconds,
        )

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self) | {"failed": dict(self.failed)}


Costs = Mapping[str, RoleCosts]
"""By role, in the order of the roles."""


def by_role(tallies: Iterable[Tally]) -> dict[str, RoleCosts]:
    """The sums of each role over all purposes and all work."""
    found: dict[str, RoleCosts] = {}
    for one in tallies:
        costs = RoleCosts(
            one.role,
            one.spent.calls,
            one.replies,
            one.cached,
            dict(one.failed),
            one.spent.input_tokens,
            one.spent.output_tokens,
            one.spent.usd,
            one.seconds,
        )
        found[one.role] = found[one.role].combined(costs) if one.role in found else costs
    return {role: found[role] for role in sorted(found, key=_place)}


def difference(after: Costs, before: Costs) -> dict[str, RoleCosts]:
    """What was added, role by role; a role that nothing was asked of is left out."""
    made = {role: one.combined(before[role], -1) if role in before else one for role, one in after.items()}
    return {role: one for role, one in made.items() if one.replies or one.calls}


def summed(costs: Costs) -> RoleCosts:
    """All roles together."""
    total = RoleCosts("all")
    for one in costs.values():
        total = total.combined(one)
    return total


def _place(role: str) -> tuple[int, str]:
    return (ROLES.index(role) if role in ROLES else len(ROLES), role)
