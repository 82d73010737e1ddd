"""How whatever is marked LM asks the study's helper: one call for all that a batch needs."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.dsl.needs import REMEDY
from designsearch.dsl.problems import UserError
from designsearch.runtime.models.requests import Reply, Request
from designsearch.runtime.services import Services


def ask_helper(services: Services, requests: Sequence[Request]) -> list[Reply]:
    """One reply a request, in order; nothing is asked where there is nothing to ask.

    Raises:
        UserError: there is no helper.
        OutOfBudgetError, CannotContinueError: as :meth:`Model.complete`.
    """
    if not requests:
        return []
    if services.helper is None:
        raise UserError(f"this memory needs a model for the role helper; {REMEDY}")
    return services.helper.complete(requests)
