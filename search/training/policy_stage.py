"""The stage of a design that is a memory policy: where it stands, and what reaches it."""

from __future__ import annotations

from designsearch.dsl.design import Design
from designsearch.dsl.problems import UserError
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.policy.policy import PolicyParams
from designsearch.runtime.pipeline import run_cascade
from designsearch.runtime.records import Queries


def policy_of(design: Design) -> tuple[int, PolicyParams]:
    """Where the policy of a design stands in its cascade, and its parameters.

    Raises:
        UserError: it has none, or several.
    """
    found = [(i, one.params) for i, one in enumerate(design.retrieval) if isinstance(one.params, PolicyParams)]
    if len(found) > 1:
        places = ", ".join(f"retrieval[{i}]" for i, _ in found)
        raise UserError(
            f"{design.file}: retrieval has {len(found)} stages op: policy ({places}), and episodes are those of one;"
            " leave one of them"
        )
    if found:
        return found[0]
    raise UserError(
        f"{design.file}: retrieval has no stage op: policy, so there are no episodes to learn from (one within another"
        " stage, such as branch, does not count)"
    )


def reaching_policy(memory: Memory, queries: Queries) -> Queries:
    """Questions as the stages before a design's policy leave them.

    Args:
        memory: of the design.
        queries: as they are asked.

    Raises:
        UserError: the design has no policy.
    """
    position, _ = policy_of(memory.design)
    before = run_cascade(memory, memory.design.retrieval[:position], queries).steps if len(queries) else ()
    return before[-1].queries if before else queries
