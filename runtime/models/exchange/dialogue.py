"""One request to a model behind an OpenAI-compatible server, end to end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import asdict
from typing import Any

from designsearch.dsl.problems import CannotContinueError
from designsearch.runtime.models.base import Gate
from designsearch.runtime.models.exchange.body import listed_models
from designsearch.runtime.models.exchange.complaints import Place, shown_url
from designsearch.runtime.models.exchange.endpoint import Endpoint
from designsearch.runtime.models.exchange.formats import Formats
from designsearch.runtime.models.exchange.negotiation import Asking, Negotiation
from designsearch.runtime.models.exchange.refusals import Kind, Outcome, understood
from designsearch.runtime.models.exchange.reply_check import Checked, check_reply
from designsearch.runtime.models.exchange.secret import Secret
from designsearch.runtime.models.exchange.surrogates import without_halves
from designsearch.runtime.models.exchange.tries import (
    CONNECTIONS_TRIED,
    FIRST_WAIT,
    GivenUpError,
    RefusedError,
    Sleep,
    Tries,
    Usage,
)
from designsearch.runtime.models.exchange.vectors import read_vectors
from designsearch.runtime.models.requests import Failure, Reply, Request
from designsearch.runtime.models.settings import ModelSettings

FAILURES_IN_A_ROW = 8
"""Requests without a reply, one after another, after which the work stops: each further one would cost its time too."""

_FAILURES: dict[Kind, Failure] = {"too_long": "too_long", "filtered": "no_answer"}
"""Refusals that are about one request, and what becomes of it; after any other the work cannot go on."""

_WHAT_TO_DO: dict[Kind, str] = {
    "format": "write structured: auto",
    "tools": "write tools: auto",
    "too_long": "a text is longer than the model reads",
}


class Dialogue:
    """Asks one model at one server; each request ends in a checked reply or in the reason why there is none.

    JSON is asked for in the surest format that the server takes, which is found out with the first request while the
    others wait for it. Whatever comes back is checked here all the same. A reply that was cut at the limit of tokens is
    asked for once more with twice the limit and never accepted, even where it is valid JSON; an invalid one is asked
    for once more with what was wrong, an empty one once more as it was.

    Args:
        settings: how the model is asked.
        base_url: the server, as in ``http://127.0.0.1:8080/v1``.
        api_key: the key, ``None`` where the server wants none; it appears in no text.
        role: what the study calls the role, as in ``models.helper``, for errors.
        facts: what was found out about the server and the model; kept by the caller, so that it survives a restart.
        say: gets a line for people when something was found out.
        sleep: how time between tries is waited for.

    Raises:
        UserError: no header can hold the key.
    """

    def __init__(
        self,
        settings: ModelSettings,
        base_url: str,
        api_key: str | None,
        role: str,
        facts: MutableMapping[str, str],
        say: Callable[[str], None],
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        secret = Secret(api_key)
        self._place = Place(role, shown_url(base_url), settings.model, secret, settings.api_key_env)
        if not secret.sendable:
            raise self._place.odd_key()
        self._settings = settings
        self._sleep = sleep
        self._endpoint = Endpoint(base_url, secret, settings.timeout, settings.concurrency)
        self._tries = Tries(self._endpoint, settings, self._place, sleep)
        self._negotiation = Negotiation(settings, Formats(settings, facts, say, self._place.url), self._tries)
        self._failed_in_a_row = 0

    async def ask(self, request: Request, gate: Gate) -> Reply:
        """The reply to a request, with as many calls as that takes.

        Raises:
            OutOfBudgetError: a cap was reached, the quota is used up, or the server asks for too long a wait.
            CannotContinueError: the server is not there, refuses the key or the call, or does not know the model; or
                one request after another has failed.
        """
        asking = Asking(request, request.max_output_tokens or self._settings.max_output_tokens)
        usage = Usage()
        try:
            checked = await self._checked(asking, gate, usage)
        except GivenUpError as error:
            self._count_failure(error)
            return Reply(failure=error.failure, detail=error.detail, **asdict(usage))
        self._failed_in_a_row = 0
        if checked.failure:
            return Reply(failure=checked.failure, detail=self._place.secret.hide(checked.detail), **asdict(usage))
        return Reply(text=checked.text, value=checked.value, **asdict(usage))

    async def embed(self, texts: Sequence[str], gate: Gate) -> list[list[float]]:
        """A vector for each text, by one call (and those that repeat it).

        Raises:
            OutOfBudgetError, CannotContinueError: as :meth:`ask`; also where no vectors come of it.
        """
        if not texts:
            return []
        body: dict[str, Any] = {"model": self._settings.model, "input": [without_halves(text) for text in texts]}
        if self._settings.dimensions is not None:
            body["dimensions"] = self._settings.dimensions
        body |= {name: value for name, value in self._settings.send.items() if name != "input"}
        try:
            return await self._tries.send(
                "/embeddings", body, lambda found: read_vectors(found, len(texts)), gate, Usage()
            )
        except GivenUpError as error:
            raise self._place.no_vectors(error.detail) from None
        except RefusedError as error:
            if error.outcome.kind == "path":
                raise self._place.no_embeddings(error.outcome.detail) from None
            raise await self._refusal(error.outcome) from None

    async def check(self) -> list[str]:
        """What is odd about the server, for people; empty where it lists the model.

        Raises:
            CannotContinueError: the server is not there, is none, or refuses the key.
        """
        outcome = await self._models()
        for tried in range(1, CONNECTIONS_TRIED):
            if outcome.kind != "unreachable":
                break
            await self._sleep(FIRST_WAIT * tried)
            outcome = await self._models()
        if outcome.kind == "unreachable":
            raise self._place.unreachable(outcome.detail)
        if outcome.kind == "key":
            raise self._place.refused_key(outcome.detail)
        if outcome.kind == "web_page":
            raise self._place.web_page()
        if outcome.kind == "timeout":
            raise self._place.slow_list(self._settings.timeout)
        models = listed_models(outcome.body)
        return [self._place.not_listed(models)] if models and self._settings.model not in models else []

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.close()

    async def _checked(self, asking: Asking, gate: Gate, usage: Usage) -> Checked:
        """The reply, asked for again where that may help."""
        while True:
            try:
                written, way = await self._negotiation.written(asking, gate, usage)
            except RefusedError as error:
                kind = error.outcome.kind
                if asking.checked is not None and kind in {"too_long", "bad"}:
                    return asking.checked  # it was taken before: twice the limit is too much
                if kind not in _FAILURES:
                    raise await self._refusal(error.outcome) from None
                return Checked(failure=_FAILURES[kind], detail=error.outcome.detail)
            native = bool(asking.request.tools) and way.tools == "native"
            checked = check_reply(written, asking.request, native, self._settings.reasoning_as_answer, asking.limit)
            self._negotiation.learn(checked, way)
            if not asking.ask_again(checked):
                return checked

    async def _refusal(self, outcome: Outcome) -> CannotContinueError:
        """What people are told about a server that refuses."""
        if outcome.kind == "key":
            return self._place.refused_key(outcome.detail)
        if outcome.kind == "model":
            found = await self._models()
            return self._place.unknown_model(outcome.detail, listed_models(found.body))
        if outcome.kind == "path":
            return self._place.wrong_path(outcome.detail)
        if outcome.kind == "web_page":
            return self._place.web_page()
        return self._place.refused(outcome.detail, _WHAT_TO_DO.get(outcome.kind, ""))

    async def _models(self) -> Outcome:
        return understood(await self._endpoint.get("/models"), frozenset(), self._place.secret)

    def _count_failure(self, error: GivenUpError) -> None:
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= FAILURES_IN_A_ROW:
            raise self._place.failing(self._failed_in_a_row, error.detail) from None
