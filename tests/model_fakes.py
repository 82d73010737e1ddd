"""A scripted model: answers from a function, remembers what it was asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from jsonschema import Draft202012Validator

from designsearch.dsl.problems import OutOfBudgetError
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


class RememberingModel:
    """Another model behind a cache of its good replies by content, as a study has it.

    Args:
        inner: the model.
        most: requests that may reach it; at the next one the budget is used up.
    """

    name = "remembering"
    fingerprint = "remembering"

    def __init__(self, inner: ScriptedModel, most: int | None = None) -> None:
        self.inner = inner
        self.most = most
        self.kept: dict[str, Reply] = {}

    def complete(self, requests):
        return [self._reply(request) for request in requests]

    def _reply(self, request: Request) -> Reply:
        key = repr(request)
        if key not in self.kept:
            if self.most is not None and len(self.inner.requests) >= self.most:
                raise OutOfBudgetError("llm_calls is reached")
            reply = self.inner.complete([request])[0]
            if not reply.ok:
                return reply
            self.kept[key] = reply
        return self.kept[key]

    def news(self) -> list[Request]:
        """The requests that reached the model since this was last asked."""
        new = list(self.inner.requests)
        self.inner.requests.clear()
        return new


def quoted_in(request: Request, name: str) -> list[str]:
    """The texts that a request quotes under a name, in order."""
    asked = "\n".join(message.content for message in request.messages)
    return [text for _, text in re.findall(rf"<{name} key=(\w+)>\n(.*?)\n</{name} key=\1>", asked, re.DOTALL)]
