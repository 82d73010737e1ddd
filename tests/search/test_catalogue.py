from __future__ import annotations

from typing import Literal

import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

from designsearch.dsl.operators import Branches, Cascade, Operator, Params, Registry, Stage, Tune, param
from designsearch.dsl.source import scan
from designsearch.runtime.operators import load_all
from designsearch.search.catalogue import parameters, ranges, stages, tunables

DESIGN = """\
version: 1
storage:
  units: {op: windows, size: 100}
  views: {beside: {op: window, after: 3}}
retrieval:
  - {op: prf, feedback: [{op: bm25, k: 20}]}
  - {op: bm25, k: 50}
  - op: branch
    branches:
      a: [{op: dense, k: 300}]
    fuse: {op: rrf}
  - {op: rrf, kappa: 10}
context:
  order: chronological
"""


class Odd(Params):
    name: str = param("x", about="A text.", tune=True)
    need: int = param(about="Required.", tune=Tune(1, 5))
    flag: bool = param(False, about="A flag.", tune=True)
    kind: Literal["a", "b"] | None = param(None, about="A choice.", tune=True)
    size: int = param(10, about="A size.", tune=Tune(1, 100, log=True))
    share: float = param(0.5, about="A share.", tune=Tune(0, 1))
    maybe: int | None = param(None, about="Not tuned while it is nothing.", tune=Tune(1, 5))
    still: int = param(3, about="Left alone.")


def test_stages_are_found_wherever_they_stand():
    found = [(placed.operator.name, placed.path) for placed in stages(scan(DESIGN).value, load_all())]
    assert found == [
        ("windows", ("storage", "units")),
        ("window", ("storage", "views", "beside")),
        ("prf", ("retrieval", 0)),
        ("bm25", ("retrieval", 0, "feedback", 0)),
        ("bm25", ("retrieval", 1)),
        ("branch", ("retrieval", 2)),
        ("dense", ("retrieval", 2, "branches", "a", 0)),
        ("rrf", ("retrieval", 2, "fuse")),
        ("rrf", ("retrieval", 3)),
    ]


def test_settings_have_names_places_and_values():
    found = {one.name: one for one in tunables(scan(DESIGN).value, load_all())}
    assert (found["units.windows.size"].value, found["units.windows.size"].path) == (100, ("storage", "units", "size"))
    assert found["views.window.after"].value == 3
    assert found["views.window.before"].value == 1  # its default
    assert (found["bm25.k"].value, found["bm25#2.k"].value) == (20, 50)
    assert found["rrf#2.kappa"].path == ("retrieval", 3, "kappa")
    assert found["context.order"].value == "chronological"
    assert "section1.order" not in found


def test_sections_have_settings_of_their_own():
    text = "version: 1\nretrieval: [{op: bm25}]\ncontext:\n  sections: [{share: 0.5}, {share: 0.5, fill: stop}]\n"
    found = {one.name: one for one in tunables(scan(text).value, load_all())}
    assert found["section2.fill"].value == "stop"
    assert found["section1.order"].path == ("context", "sections", 0, "order")
    assert "context.order" not in found


def test_what_a_search_may_turn_is_read_from_the_declaration():
    assert {name: one.distribution() for name, one in ranges(Odd).items()} == {
        "flag": CategoricalDistribution((False, True)),
        "kind": CategoricalDistribution((None, "a", "b")),
        "size": IntDistribution(1, 100, log=True),
        "share": FloatDistribution(0, 1),
    }


def test_a_value_beyond_its_range_widens_it():
    text = "version: 1\nretrieval: [{op: bm25, k: 5000, k1: 0}]\n"
    found = parameters(scan(text).value, load_all())
    assert found["bm25.k"].value == 5000
    assert found["bm25.k"].distribution.high == 5000
    assert found["bm25.k1"].distribution.low == 0


@pytest.mark.parametrize(("size", "kept"), [(0, False), (1, True), (7, True), (True, False), ("7", False)])
def test_values_that_a_ledger_cannot_keep_are_left_out(size, kept):
    registry = Registry()
    registry.add(Operator("odd", "retrieve", Odd, lambda: None))
    tree = {"retrieval": [{"op": "odd", "need": 1, "size": size}]}
    assert ("odd.size" in parameters(tree, registry)) is kept


def test_a_stage_inside_a_parameter_is_no_setting():
    class Holder(Params):
        inner: Cascade = param((), about="A cascade.", tune=True)
        named: Branches = param({}, about="Branches.", tune=True)
        one: Stage | None = param(None, about="A stage.", tune=True)

    assert ranges(Holder) == {}
