"""Rules about what is stored."""

from __future__ import annotations

from designsearch.search.proposers.profile import Profile
from designsearch.search.proposers.rule import rule
from designsearch.search.proposers.workpiece import Workpiece

_ENOUGH = 0.9
"""Share of lost evidence in one role from which on the other roles are left out of the store."""

_WORTH = 0.2
"""Share of the context that other roles must take up for that."""


def _one_role(profile: Profile, piece: Workpiece) -> float:
    if not profile.role or profile.role_share < _ENOUGH or profile.others_share < _WORTH:
        return 0.0
    if piece.units.get("roles") or piece.registry.get("units", "turns") is None:
        return 0.0
    return (profile.crowded_out + 0.3 * profile.not_retrieved) * profile.others_share


@rule(
    "one_role",
    "store only what {role} says",
    "{role_share:.0%} of the lost evidence was said by {role}, while others take up {others_share:.0%} of the context",
    "the budget goes to the records that hold the evidence",
    _one_role,
)
def _one_role_rule(piece: Workpiece, profile: Profile) -> None:
    kept = {key: value for key, value in piece.units.items() if key == "sources"}
    piece.set((*piece.store_path, "units"), {"op": "turns", "roles": [profile.role], **kept})


@rule(
    "store_everything",
    "store every record as it stands",
    "the evidence of {not_stored:.0%} of the failures is in no unit, that of {altered:.0%} in other words",
    "every record is stored as it stands",
    lambda p, piece: 0.8 * (p.not_stored + p.altered) if dict(piece.units) != {"op": "records"} else 0.0,
)
def _store_everything_rule(piece: Workpiece, profile: Profile) -> None:
    piece.set((*piece.store_path, "units"), {"op": "records"})


@rule(
    "smaller_units",
    "store windows of 120 words",
    "lost evidence has {words:.0f} words on average: one unit more of that size does not fit",
    "more units of fewer words fit into the budget",
    lambda p, piece: 0.1 * p.crowded_out if p.words > 120 and piece.units.get("op") != "windows" else 0.0,
)
def _smaller_units_rule(piece: Workpiece, profile: Profile) -> None:
    piece.set((*piece.store_path, "units"), {"op": "windows", "size": 120, "overlap": 30})


STORAGE_RULES = (
    _one_role_rule,
    _store_everything_rule,
    _smaller_units_rule,
)
"""In order of the text above; which one is tried first is a matter of what they expect."""
