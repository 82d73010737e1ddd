"""How ``designsearch eval --against`` shows whether two sets of questions order the designs alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designsearch import figures
from designsearch.cli.tables import Table, table

if TYPE_CHECKING:
    from designsearch.against import Against
    from designsearch.cli.output import Output
    from designsearch.search.rank_agreement import Agreement


def show_against(found: Against, out: Output) -> None:
    """Each design on both sets, and how far they agree."""
    out.gap()
    if not out.quiet:
        out.table(_table(found))
        out.gap()
    out.line(_sentence(found.agreement))


def _table(found: Against) -> Table:
    own, other = (_places([pair[i] for pair in found.coverage.values()]) for i in (0, 1))
    cells = [
        (label, figures.share(pair[0]), figures.share(pair[1]), own[i], other[i])
        for i, (label, pair) in enumerate(found.coverage.items())
    ]
    questions = figures.number_of(found.questions, "question")
    title = f"coverage against {found.source} ({questions} with evidence)"
    return table("design", ">coverage", ">against", ">place", ">place against", rows=cells, title=title)


def _places(values: list[float]) -> list[str]:
    """The place of each among all, the best first; equal ones share theirs."""
    return [str(1 + sum(other > value for other in values)) for value in values]


def _sentence(found: Agreement) -> str:
    designs = figures.number_of(found.designs, "design")
    if found.kendall is None or found.spearman is None:
        return f"whether both sets order {designs} alike cannot be said: on one of them all are equal"
    said = (
        f"both sets order {designs} alike with Kendall's tau {figures.gain(found.kendall)} "
        f"(95 % interval over designs {figures.between(found.interval, signed=True)}), "
        f"Spearman {figures.gain(found.spearman)}"
    )
    return said + ("; uncertain, as they are few: measure 20 or more" if found.uncertain else "")
