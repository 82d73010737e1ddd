"""The table of what models took, role by role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from designsearch import figures
from designsearch.cli.tables import Table, table

if TYPE_CHECKING:
    from designsearch.cli.output import Output
    from designsearch.search.costs import Costs, RoleCosts


def costs_table(costs: Costs) -> Table:
    """One row a role, and a last one for all of them where there are several."""
    from designsearch.search.costs import summed

    rows = [_cells(one) for one in costs.values()]
    if len(rows) > 1:
        rows.append(_cells(summed(costs)))
    columns = ("role", ">calls", ">cached", ">failed", ">tokens in", ">tokens out", ">cost", ">time", "failures*")
    return table(*columns, rows=rows)


def costs_json(costs: Costs) -> list[Mapping[str, Any]]:
    """The same as plain JSON."""
    return [one.to_json() for one in costs.values()]


def show_costs(costs: Costs, out: Output) -> None:
    """The table, where anything was taken, and a warning where the helper failed."""
    if costs and not out.quiet:
        out.gap()
        out.table(costs_table(costs))
    if failed := helper_failures(costs):
        out.warning(failed)


def helper_failures(costs: Costs) -> str:
    """What the reader of a result must know where the helper failed; empty where it did not.

    Answers and verdicts that failed are seen in the result: they are not measured. A view, a fact or a ranking that
    failed is only missing.
    """
    one = costs.get("helper")
    if one is None or not one.failures:
        return ""
    kinds = ", ".join(f"{number} {kind}" for kind, number in one.failed.items())
    return (
        f"the helper failed on {figures.count(one.failures)} of {figures.count(one.replies)} requests ({kinds}): what "
        "it was to write for them is missing from this result"
    )


def _cells(one: RoleCosts) -> list[str]:
    return [
        one.role,
        figures.count(one.calls),
        figures.count(one.cached),
        figures.count(one.failures),
        figures.count(one.input_tokens),
        figures.count(one.output_tokens),
        f"${one.usd:.4f}" if one.usd else "",
        figures.seconds(one.seconds),
        ", ".join(f"{number} {kind}" for kind, number in one.failed.items()),
    ]
