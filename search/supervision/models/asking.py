"""How the model versions of the roles ask: a whole batch in one call, and a failure that is told from a finding."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.prompts.load import prompt
from designsearch.runtime.models.base import Model
from designsearch.runtime.models.requests import Reply, Request
from designsearch.search.supervision.contracts import Rejection, Stage

NO_REPLY = "no usable reply"
"""The reason of a rejection where a model failed."""


def ask(model: Model, requests: Sequence[Request]) -> list[Reply]:
    """One reply a request, in order; nothing is asked where there is nothing to ask.

    Raises:
        OutOfBudgetError, CannotContinueError: as :meth:`Model.complete`.
    """
    return model.complete(requests) if requests else []


def failed(stage: Stage, reply: Reply) -> Rejection:
    """The rejection of a bundle for which a model gave no usable reply."""
    return Rejection(stage, NO_REPLY, reply.why, failed=True)


def fingerprint_of(model: Model, prompts: Sequence[str], *settings: object) -> str:
    """Of a role that a model plays: the model, its prompts with their versions, and settings of the role."""
    parts = [model.fingerprint, *(prompt(name).identity for name in prompts), *map(str, settings)]
    return " ".join(parts)
