"""Sub-cascades with queries of their own, then one fusion."""

from __future__ import annotations

from designsearch.dsl.operators import Branches, Params, Stage, operator, param
from designsearch.runtime.memory import Memory
from designsearch.runtime.pipeline import run_cascade
from designsearch.runtime.records import Queries, Rankings


class BranchParams(Params):
    """Parameters of ``branch``."""

    branches: Branches = param(about="named sub-cascades; each begins with the queries as they are here")
    fuse: Stage = param(about="how their rankings become one, as in {op: rrf}")


@operator("branch", "branch", BranchParams, scale="unscaled")
def branch(params: BranchParams, queries: Queries, m: Memory) -> Rankings:
    """Run each sub-cascade on the queries as they stand and fuse what they find, in the order of their names.

    What a branch does to its queries (feedback, rewriting) stays inside it.
    """
    branches = sorted(params.branches.items())
    rankings = [run_cascade(m, stages, queries, f"branches.{name}").ranking for name, stages in branches]
    fused: Rankings = params.fuse.operator.function(params.fuse.params, rankings, m)
    return fused
