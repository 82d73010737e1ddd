"""Design and history to a pipeline that answers: the order of the whole runtime in one place.

YAML -> Design -> Pipeline -> (units, views, indexes) -> ranking -> context -> answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from designsearch.dsl.design import Design
from designsearch.dsl.needs import unmet_needs
from designsearch.dsl.problems import InvalidFileError, UserError
from designsearch.runtime.context import build_contexts
from designsearch.runtime.excerpts import excerpts_of
from designsearch.runtime.memory import Memory
from designsearch.runtime.pipeline import Run, run_cascade
from designsearch.runtime.records import Context, History, Queries
from designsearch.runtime.services import Services

DEFAULT_BUDGET = 4000


@dataclass(frozen=True)
class Pipeline:
    """A compiled design.

    Attributes:
        design: the design.
        budget: the most tokens that a context may have.
        services: cache, counter and embedder.
    """

    design: Design
    budget: int = DEFAULT_BUDGET
    services: Services = field(default_factory=Services)

    def open(self, history: History) -> Memory:
        """The stores of the design over a snapshot; indexes are made when first asked for."""
        return Memory(self.design, history, self.services)

    def search(self, memory: Memory, queries: Queries) -> Run:
        """Run the cascade for a batch of questions."""
        return run_cascade(memory, self.design.retrieval, queries)

    def contexts(self, memory: Memory, run: Run, queries: Queries) -> Sequence[Context]:
        """Build the contexts from a run's final rankings; of what a policy noted, what its notes cite."""
        excerpts = excerpts_of(run.steps, queries, memory)
        return build_contexts(self.design.context, memory, run.ranking, queries, self.budget, excerpts)


def compile_design(design: Design, budget: int = DEFAULT_BUDGET, services: Services | None = None) -> Pipeline:
    """The executable pipeline of a validated design; reads nothing and writes nothing.

    Args:
        design: as ``load_design`` returns it, so its cascade is known to be well typed.
        budget: the most tokens that a context may have.
        services: shared cache, counter and embedder; fresh ones where not given.

    Raises:
        UserError: a store is to be made from another one by an operator that makes its units from the history.
        InvalidFileError: it needs a model and there is none.
    """
    ready = services or Services()
    if ready.helper is None and (unmet := unmet_needs(design)):
        raise InvalidFileError(unmet)
    for name, plan in design.stores.items():
        if plan.source is not None:
            place = f"{design.file}: storage.stores.{name}.from"
            raise UserError(
                f"{place}: {plan.units.op} makes its units from the history, not from a store; leave it out"
            )
    return Pipeline(design, budget, ready)
