"""Build the answer's context: which units enter, how they are shown, in which order, exactly within the budget.

Units enter in the order of the ranking, whole or not at all; one that does not fit is skipped (``fill: skip``) or ends
the filling (``fill: stop``). Headers, group titles and separators count. Ordering and grouping come after the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from designsearch.dsl.design import ContextPlan, Section
from designsearch.dsl.templates import compile_template
from designsearch.runtime.context_candidates import Candidates
from designsearch.runtime.context_choice import choose
from designsearch.runtime.context_fill import Filling
from designsearch.runtime.context_items import ItemTable, item_table
from designsearch.runtime.context_layout import Part
from designsearch.runtime.context_rendering import render
from designsearch.runtime.context_variables import QuestionVariable
from designsearch.runtime.excerpts import Excerpts, source_of
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import Context, ContextUnit, FloatArray, IntArray, Queries, Rankings

ROUNDING = 1e-3
"""Tokens that a share may lose to the rounding of its decimal fraction."""


def build_contexts(
    plan: ContextPlan,
    memory: Memory,
    rankings: Rankings,
    queries: Queries,
    budget: int,
    excerpts: Sequence[Excerpts] = (),
) -> list[Context]:
    """The context of each question of a batch.

    Args:
        plan: the design's context part.
        memory: where the units are.
        rankings: the cascade's final ranking.
        queries: the questions that it belongs to.
        budget: the most tokens that a context may have, counted on the whole final text.
        excerpts: what is shown of units that are not shown whole, shape (questions,); all are where none are given.

    Returns:
        One context a question; an empty text where no unit entered.
    """
    tables = [item_table(section, memory) for section in plan.sections]
    for section, table in zip(plan.sections, tables, strict=True):
        table.prepare(_within(rankings, section, memory), budget)
    builder = _Builder(plan, memory, tables, budget)
    noted = excerpts or [{}] * len(queries)
    return [
        builder.build(QuestionVariable.of(queries, q), *rankings.of_question(q), noted[q]) for q in range(len(queries))
    ]


def _within(rankings: Rankings, section: Section, memory: Memory) -> Rankings:
    if section.source is None:
        return rankings
    store = memory.stores[section.source]
    return rankings.keep((rankings.ids >= store.base) & (rankings.ids < store.base + len(store)))


class _Builder:
    """Builds the contexts of a batch, one question after another."""

    def __init__(self, plan: ContextPlan, memory: Memory, tables: Sequence[ItemTable], budget: int) -> None:
        self._plan = plan
        self._memory = memory
        self._tables = tables
        self._budget = budget

    def build(self, question: QuestionVariable, ids: IntArray, scores: FloatArray, excerpts: Excerpts) -> Context:
        """The context of one question from its final ranking."""
        show = self._shown(question)
        parts = [
            Part(section, table, show(section.header), show(section.footer))
            for section, table in zip(self._plan.sections, self._tables, strict=True)
        ]
        filling = Filling(parts, show(self._plan.header), show(self._plan.footer), self._budget)
        for part, allowance in self._allowances(filling.around, parts):
            part.allowance = allowance
            candidates = Candidates.of(part.section, self._memory, ids, scores, excerpts)
            choose(filling, part, candidates, part.table.items(question, excerpts), question)
        entries = [entry for part in parts for entry in part.shown()]
        sources = (source_of(self._memory, entry.unit, excerpts.get(entry.unit)) for entry in entries)
        units = tuple(ContextUnit(e.unit, *own, e.rank, e.score) for e, own in zip(entries, sources, strict=True))
        return Context(filling.text(), filling.tokens(), units)

    def _shown(self, question: QuestionVariable) -> Callable[[str], str]:
        memory = self._memory
        return lambda source: render(compile_template(source), memory, question=question) if source else ""

    def _allowances(self, around: int, parts: Sequence[Part]) -> Iterator[tuple[Part, int | None]]:
        """Each section with what it may use; what one leaves over flows to the next.

        A single section with the whole budget is held by the budget alone, which is exact to the token.
        """
        available, share = self._budget - around, 0.0
        alone = len(parts) == 1 and parts[0].section.share >= 1.0
        for i, part in enumerate(parts):
            share += part.section.share
            yield part, None if alone else int(available * share + ROUNDING) - sum(before.used for before in parts[:i])
