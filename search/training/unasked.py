"""A design whose policy is a language model, opened where that model is brought along and no helper is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from designsearch.dsl.problems import UserError
from designsearch.runtime.models.requests import Reply, Request
from designsearch.runtime.services import Services


class Unasked:
    """Stands where a design wants a helper: the policy brings its own model, and nothing else may ask this one."""

    name = "the policy in training"
    fingerprint = "unasked"

    def complete(self, requests: Sequence[Request]) -> list[Reply]:
        """Nobody answers.

        Raises:
            UserError: always.
        """
        asked = ", ".join(sorted({request.purpose for request in requests}))
        raise UserError(f"the design asks a model for more than its policy ({asked}): name one for the role helper")


def unasked(services: Services) -> Services:
    """The services with somebody in the role of helper, who asks nobody where none was named."""
    return services if services.helper is not None else replace(services, helper=Unasked())
