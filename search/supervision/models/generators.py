"""Generators of questions that ask a model, by name."""

from __future__ import annotations

from collections.abc import Callable

from designsearch.dsl.problems import UserError, nearest
from designsearch.runtime.models.base import Model
from designsearch.search.supervision.checks.checks import PROGRAM_CHECKS, Checks
from designsearch.search.supervision.contracts import Generator
from designsearch.search.supervision.models.corpus import CorpusGenerator
from designsearch.search.supervision.models.direct import DirectGenerator
from designsearch.search.supervision.models.kind_shares import SharedGenerator
from designsearch.search.supervision.models.one_response import PlanOneResponseGenerator
from designsearch.search.supervision.models.planner import PlanGenerator
from designsearch.search.supervision.models.unanswerable import UnanswerableGenerator
from designsearch.search.supervision.models.updated import UpdatedGenerator

_MAKERS: dict[str, Callable[[Model, Checks], Generator]] = {
    one.name: one for one in (PlanGenerator, PlanOneResponseGenerator, DirectGenerator, CorpusGenerator)
}

GENERATORS = tuple(_MAKERS)
"""Their names: ``plan`` (the default), ``plan-one-response``, ``direct`` and ``corpus``."""


def make_generator(
    name: str, model: Model, checks: Checks = PROGRAM_CHECKS, *, unanswerable: float = 0.0, updated: float = 0.0
) -> Generator:
    """The generator of that name.

    Args:
        name: one of :data:`GENERATORS`.
        model: plays the role planner.
        checks: of plans and questions.
        unanswerable: share of the bundles from which a question is made that they do not answer.
        updated: share of the bundles from which a question is made about a value that changed.

    Raises:
        UserError: there is none of that name.
    """
    if name not in _MAKERS:
        hint = nearest(name, GENERATORS) or f"the generators are {', '.join(GENERATORS)}"
        raise UserError(f"there is no generator {name}; {hint}")
    made = _MAKERS[name](model, checks)
    others: dict[Generator, float] = {
        UnanswerableGenerator(model, checks): unanswerable,
        UpdatedGenerator(model, checks): updated,
    }
    return SharedGenerator(made, others) if unanswerable or updated else made
