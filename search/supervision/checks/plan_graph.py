"""Whether a plan's operations form a directed acyclic graph from all of its facts to the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from designsearch.search.supervision.checks.faults import Fault
from designsearch.search.supervision.plans import ANSWER, Operation, Plan


def graph_faults(plan: Plan) -> Iterator[Fault]:
    """What is wrong with the graph of a plan's operations."""
    if not plan.operations:
        yield Fault("no operations")
        return
    facts = {fact.id for fact in plan.facts}
    outputs = Counter(operation.output for operation in plan.operations)
    for name, times in outputs.items():
        if times > 1 or name in facts or not name.strip():
            yield Fault("operation output not unique", name)
    for operation in plan.operations:
        for name in operation.inputs:
            if name not in facts and name not in outputs:
                yield Fault("unknown input", f"{operation.output}: {name}")
    if plan.operations[-1].output != ANSWER:
        yield Fault("operations do not end in the answer", plan.operations[-1].output)
    if len(in_order(plan)) < len(plan.operations):
        yield Fault("operations form a circle")
    yield from _unused(plan)


def in_order(plan: Plan) -> list[Operation]:
    """The operations, each after those whose outputs it takes; those of a circle and after it are left out."""
    outputs = {operation.output for operation in plan.operations}
    done: set[str] = set()
    waiting = list(plan.operations)
    ordered: list[Operation] = []
    while True:
        ready = [o for o in waiting if all(name in done or name not in outputs for name in o.inputs)]
        if not ready:
            return ordered
        ordered += ready
        done |= {operation.output for operation in ready}
        waiting = [o for o in waiting if o.output not in done]


def _unused(plan: Plan) -> Iterator[Fault]:
    takes = {operation.output: operation.inputs for operation in plan.operations}
    reached: set[str] = set()
    waiting = [plan.operations[-1].output]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += takes.get(name, ())
    for fact in plan.facts:
        if fact.id not in reached:
            yield Fault("fact not used", fact.id)
    for operation in plan.operations:
        if operation.output not in reached:
            yield Fault("output not used", operation.output)
