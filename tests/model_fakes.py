"""A scripted model: answers from a function, remembers what it was asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jsonschema import Draft202012Validator

from designsearch.runtime.models.requests import Reply, Request


class ScriptedModel:
    """A model that follows a script.

    Args:
        script: gives for a request a text, a JSON value (checked against the request's schema), or a ``Reply``.
    """

    name = "scripted"

    def __init__(self, script: Callable[[Request], Any], fingerprint: str = "scripted") -> None:
        self.script = script
        self.fingerprint = fingerprint
        self.requests: list[Request] = []
        self.batches: list[int] = []

    def complete(self, requests):
        self.requests += requests
        self.batches.append(len(requests))
        return [self._reply(request) for request in requests]

    def _reply(self, request: Request) -> Reply:
        made = self.script(request)
        if isinstance(made, Reply):
            return made
        if request.schema is None and not request.tools:
            return Reply(text=str(made), calls=1)
        if request.schema is not None:
            Draft202012Validator(request.schema).validate(made)
        return Reply(value=made, calls=1)


def failing(request: Request) -> Reply:
    """A script by which every request fails."""
    return Reply(failure="invalid", detail="no JSON in the reply", calls=2)
