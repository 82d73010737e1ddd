from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from planned_move import MATERIAL

from designsearch.search.supervision.contracts import Rejection
from designsearch.search.supervision.models.kind_shares import SharedGenerator

MATERIALS = [replace(MATERIAL, ordinal=i, seed=7 * i) for i in range(1000)]


@dataclass(eq=False)
class Named:
    """Rejects all, under its own name."""

    name: str
    batches: list[int] = field(default_factory=list)

    @property
    def fingerprint(self):
        return self.name

    def draft(self, materials):
        self.batches.append(len(materials))
        return [Rejection("plan", self.name, str(one.ordinal)) for one in materials]


def shared(**shares):
    rest = Named("rest")
    others = {Named(name): share for name, share in shares.items()}
    return SharedGenerator(rest, others), rest, list(others)


def test_each_gets_its_share_in_one_batch_and_the_order_is_kept():
    made, rest, others = shared(one=0.1, two=0.05)
    lost = made.draft(MATERIALS)
    assert [one.detail for one in lost] == [str(i) for i in range(1000)]
    counts = Counter(one.reason for one in lost)
    assert 70 <= counts["one"] <= 130
    assert 30 <= counts["two"] <= 75
    assert [one.batches for one in (rest, *others)] == [[counts["rest"]], [counts["one"]], [counts["two"]]]


def test_who_gets_a_bundle_does_not_depend_on_the_others():
    whole = shared(one=0.3, two=0.3)[0].draft(MATERIALS[:20])
    assert [shared(one=0.3, two=0.3)[0].draft([material])[0] for material in MATERIALS[:20]] == whole


def test_no_share_is_never_asked():
    made, rest, [other] = shared(one=0.0)
    made.draft(MATERIALS[:5])
    assert (rest.batches, other.batches) == ([5], [])
    assert made.name == "rest"
    assert made.fingerprint == "rest"
    assert shared(one=0.1)[0].fingerprint == "rest; 0.1 one one"
    assert made.draft([]) == []
