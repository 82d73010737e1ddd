"""What cannot be run is refused when a design is compiled."""

import pytest

from designsearch.dsl.problems import UserError
from designsearch.dsl.validate import load_design
from designsearch.runtime.compile import compile_design
from designsearch.runtime.operators import load_all

TWO_STORES = """
version: 1
storage:
  stores:
    talk: {units: {op: records}}
    long: {%s units: {op: sessions}}
retrieval:
  - op: branch
    branches: {a: [{op: bm25, store: talk}], b: [{op: bm25, store: long}]}
    fuse: {op: rrf}
"""


def test_a_store_made_from_another_by_an_operator_that_reads_the_history():
    design = load_design(TWO_STORES % "from: talk,", "d.yaml", load_all())
    with pytest.raises(UserError, match=r"d\.yaml: storage\.stores\.long\.from: sessions makes its units"):
        compile_design(design)


def test_two_stores_side_by_side():
    pipeline = compile_design(load_design(TWO_STORES % "", "d.yaml", load_all()), budget=50)
    assert (pipeline.budget, list(pipeline.design.stores)) == (50, ["talk", "long"])
