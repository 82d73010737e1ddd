"""Recomputes a plan's operations from its facts, by the table in :class:`~..plans.Operation`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from itertools import pairwise

from designsearch.runtime.models.offline.words import STOP, stems_of, words_of
from designsearch.runtime.records import Value
from designsearch.search.metrics.typed import as_text, items
from designsearch.search.supervision.checks.faults import Fault
from designsearch.search.supervision.checks.plan_graph import in_order
from designsearch.search.supervision.checks.plan_values import (
    CannotRecomputeError,
    Item,
    is_number,
    numbers,
    period,
    same,
    same_in_order,
    shown,
)
from designsearch.search.supervision.contracts import Material
from designsearch.search.supervision.plans import Fact, Operation, Plan
from designsearch.search.supervision.source_days import day_of


def recompute(plan: Plan, material: Material) -> tuple[Value, list[Fault]]:
    """The value that the last operation gives, and what is wrong on the way there.

    Args:
        plan: its operations form a graph.
        material: the bundle, whose times resolve relative dates.
    """
    known = {fact.id: _item(fact, material) for fact in plan.facts}
    faults: list[Fault] = []
    for operation in in_order(plan):
        inputs = [known[name] for name in operation.inputs]
        value = operation.value
        try:
            value = _RULES[operation.op](operation, inputs)
            if operation.value is not None and not _agree(operation, value):
                detail = f"{operation.output}: {as_text(operation.value)}, not {as_text(value)}"
                faults.append(Fault("operation gives another value", detail))
        except CannotRecomputeError as problem:
            faults.append(Fault("operation cannot be recomputed", f"{operation.output}: {problem}"))
        known[operation.output] = _joined(operation.output, value, inputs)
    return known[plan.operations[-1].output].value, faults


def _item(fact: Fact, material: Material) -> Item:
    sources = {source.record: source for source in material.sources}
    first = sources.get(fact.citations[0].record) if fact.citations else None
    said = " ".join([fact.statement, fact.about, *(citation.quote for citation in fact.citations)])
    return Item(
        fact.id,
        fact.value,
        fact.about,
        day_of(first) if first else None,
        frozenset(stems_of([word for word in words_of(said) if word not in STOP])),
        frozenset((c.record, c.start, c.end) for c in fact.citations),
    )


def _joined(output: str, value: Value, inputs: list[Item]) -> Item:
    """What an operation gives as an input of the next; it is about something where all of its inputs are about that."""
    abouts = {one.about for one in inputs}
    return Item(
        output,
        value,
        abouts.pop() if len(abouts) == 1 else "",
        next((one.base for one in inputs if one.base), None),
        frozenset().union(*(one.words for one in inputs)),
        frozenset().union(*(one.spans for one in inputs)),
    )


def _agree(operation: Operation, value: Value) -> bool:
    return same_in_order(operation.value, value) if operation.op in ("sort", "filter") else same(operation.value, value)


def _lookup(_: Operation, inputs: list[Item]) -> Value:
    _need(inputs, exactly=1)
    return _value_of(inputs[0])


def _bridge(_: Operation, inputs: list[Item]) -> Value:
    """The value of the last, where every input shares a word with one before it."""
    _need(inputs, at_least=2)
    for place, one in enumerate(inputs[1:], start=1):
        if all(one.words.isdisjoint(before.words) for before in inputs[:place]):
            raise CannotRecomputeError(f"{one.name} shares no word with what is before it")
    return _value_of(inputs[-1])


def _compare(operation: Operation, inputs: list[Item]) -> Value:
    return _ranked(operation, inputs)[0]


def _sort(operation: Operation, inputs: list[Item]) -> Value:
    return _ranked(operation, inputs)


def _ranked(operation: Operation, inputs: list[Item]) -> list[str]:
    """What the inputs are about, in the order asked for.

    Raises:
        CannotRecomputeError: two are equal, or nothing says the order.
    """
    _need(inputs, at_least=2)
    if not operation.how:
        raise CannotRecomputeError("nothing says which one wins")
    nameless = [one.name for one in inputs if not one.about.strip()]
    if nameless:
        raise CannotRecomputeError(f"nothing says what {nameless[0]} is about")
    keys = _keys(inputs)
    order = sorted(range(len(inputs)), key=lambda i: keys[i], reverse=operation.how in ("last", "most"))
    for a, b in pairwise(order):
        low, high = sorted((keys[a], keys[b]))
        if low[1] >= high[0]:
            raise CannotRecomputeError(f"{inputs[a].name} and {inputs[b].name} cannot be told apart")
    return [inputs[i].about for i in order]


def _keys(inputs: list[Item]) -> list[tuple[Decimal, Decimal]]:
    """The least and the greatest that each input may mean, as numbers or as days."""
    if all(is_number(one) for one in inputs):
        return [(number, number) for number in numbers(inputs)[0]]
    return [(Decimal(first.toordinal()), Decimal(last.toordinal())) for first, last in map(period, inputs)]


def _count(_: Operation, inputs: list[Item]) -> Value:
    """How many inputs there are, or how many items where the one input is a list."""
    _need(inputs, at_least=1)
    if len(inputs) == 1 and isinstance(inputs[0].value, list):
        return len({" ".join(item.casefold().split()) for item in inputs[0].value})
    seen: set[tuple[object, ...]] = set()
    for one in inputs:
        key = (one.spans, one.about, as_text(one.value))
        if key in seen:
            raise CannotRecomputeError(f"{one.name} is counted twice")
        seen.add(key)
    return len(inputs)


def _sum(_: Operation, inputs: list[Item]) -> Value:
    _need(inputs, at_least=2)
    found, unit = numbers(inputs)
    return shown(sum(found, Decimal(0)), unit)


def _difference(_: Operation, inputs: list[Item]) -> Value:
    _need(inputs, exactly=2)
    if all(is_number(one) for one in inputs):
        (a, b), unit = numbers(inputs)
        return shown(abs(a - b), unit)
    return shown(Decimal(abs((_day(inputs[0]) - _day(inputs[1])).days)), "days")


def _day(one: Item) -> date:
    first, last = period(one)
    if first != last:
        raise CannotRecomputeError(f"{one.name} is no single day: {as_text(one.value)!r}")
    return first


def _filter(operation: Operation, inputs: list[Item]) -> Value:
    """The values kept; which ones those are only a reader of the facts can tell."""
    _need(inputs, at_least=1)
    kept = items(operation.value)
    if not kept or not all(kept):
        raise CannotRecomputeError("nothing is kept")
    values = [_value_of(one) for one in inputs]
    ordered = [value for value in values if any(same(value, one) for one in kept)]
    if not same_in_order(kept, [as_text(value) for value in ordered]):
        raise CannotRecomputeError("what is kept are not values of the inputs in their order")
    return [as_text(value) for value in ordered]


def _intersect(_: Operation, inputs: list[Item]) -> Value:
    _need(inputs, at_least=2)
    first, *others = [items(_value_of(one)) for one in inputs]
    common = [item for item in first if all(any(same(item, other) for other in row) for row in others)]
    if not common:
        raise CannotRecomputeError("nothing is common to all")
    return common


def _value_of(one: Item) -> Value:
    if one.value in (None, "", []):
        raise CannotRecomputeError(f"{one.name} has no value")
    return one.value


def _need(inputs: list[Item], *, exactly: int = 0, at_least: int = 0) -> None:
    if (exactly and len(inputs) != exactly) or len(inputs) < at_least:
        raise CannotRecomputeError(f"{len(inputs)} inputs, needs {exactly or f'at least {at_least}'}")
    if len({one.name for one in inputs}) < len(inputs):
        raise CannotRecomputeError("an input is taken twice")


_RULES: dict[str, Callable[[Operation, list[Item]], Value]] = {
    "lookup": _lookup,
    "bridge": _bridge,
    "compare": _compare,
    "count": _count,
    "sum": _sum,
    "difference": _difference,
    "sort": _sort,
    "filter": _filter,
    "intersect": _intersect,
}
