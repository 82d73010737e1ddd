"""One request to a model behind an OpenAI-compatible server, end to end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from designsearch.dsl.problems import CannotContinueError
from designsearch.runtime.models.base import Gate
from designsearch.runtime.models.body import Written, listed_models, read_vectors, read_written
from designsearch.runtime.models.call_body import chat_body
from designsearch.runtime.models.complaints import Place, is_address, shown_url
from designsearch.runtime.models.endpoint import Endpoint
from designsearch.runtime.models.formats import Formats, Way
from designsearch.runtime.models.refusals import Outcome, understood
from designsearch.runtime.models.reply_check import Checked, check_reply
from designsearch.runtime.models.requests import Reply, Request
from designsearch.runtime.models.secret import Secret
from designsearch.runtime.models.settings import ModelSettings
from designsearch.runtime.models.tries import (
    CONNECTIONS_TRIED,
    FIRST_WAIT,
    GivenUpError,
    RefusedError,
    Sleep,
    Tally,
    Tries,
)

FAILURES_IN_A_ROW = 8
"""Requests without a reply, one after another, after which the work stops: each further one would cost its time too."""


@dataclass
class _Asking:
    """A request on its way: what has been tried for it.

    Each way to fail is met once more: an empty reply by asking again, a reply that was cut by twice the limit, an
    invalid one by saying what was wrong.
    """

    request: Request
    limit: int
    wrong: tuple[str, str] | None = None
    repeated: frozenset[str] = frozenset()
    checked: Checked | None = None

    def ask_again(self, checked: Checked) -> bool:
        """Get ready to ask once more; whether there is any point in it."""
        if not checked.again or checked.failure in self.repeated:
            return False
        self.repeated |= {checked.failure}
        self.checked = checked
        if checked.failure == "truncated":
            self.limit *= 2
        elif checked.failure == "invalid":
            self.wrong = checked.text, checked.reason
        return True


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
        UserError: ``base_url`` or the key cannot be what they should.
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
        if not is_address(base_url):
            raise self._place.odd_url()
        if not secret.sendable:
            raise self._place.odd_key()
        self._settings = settings
        self._sleep = sleep
        self._endpoint = Endpoint(base_url, secret, settings.timeout, settings.concurrency)
        self._tries = Tries(self._endpoint, settings, self._place, sleep)
        self._formats = Formats(settings, facts, say, self._place.url)
        self._finding_out = asyncio.Lock()
        self._failed_in_a_row = 0

    async def ask(self, request: Request, gate: Gate) -> Reply:
        """The reply to a request, with as many calls as that takes.

        Raises:
            OutOfBudgetError: a cap was reached, the quota is used up, or the server asks for too long a wait.
            CannotContinueError: the server is not there, refuses the key or the call, or does not know the model; or
                one request after another has failed.
        """
        asking = _Asking(request, request.max_output_tokens or self._settings.max_output_tokens)
        tally = Tally()
        try:
            checked = await self._checked(asking, gate, tally)
        except GivenUpError as error:
            self._count_failure(error)
            return Reply(failure=error.failure, detail=error.detail, **asdict(tally))
        self._failed_in_a_row = 0
        if checked.failure:
            return Reply(failure=checked.failure, detail=self._place.secret.hide(checked.detail), **asdict(tally))
        return Reply(text=checked.text, value=checked.value, **asdict(tally))

    async def embed(self, texts: Sequence[str], gate: Gate) -> list[list[float]]:
        """A vector for each text, by one call (and those that repeat it).

        Raises:
            OutOfBudgetError, CannotContinueError: as :meth:`ask`; also where no vectors come of it.
        """
        if not texts:
            return []
        body: dict[str, Any] = {"model": self._settings.model, "input": list(texts)}
        if self._settings.dimensions is not None:
            body["dimensions"] = self._settings.dimensions
        body |= {name: value for name, value in self._settings.send.items() if name != "input"}
        try:
            return await self._tries.send(
                "/embeddings", body, lambda found: read_vectors(found, len(texts)), gate, Tally()
            )
        except GivenUpError as error:
            raise self._place.no_vectors(error.detail) from None
        except RefusedError as error:
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

    async def _checked(self, asking: _Asking, gate: Gate, tally: Tally) -> Checked:
        """The reply, asked for again where that may help."""
        while True:
            try:
                written, way = await self._written(asking, gate, tally)
            except RefusedError as error:
                if error.outcome.kind != "too_long":
                    raise await self._refusal(error.outcome) from None
                return asking.checked or Checked(failure="too_long", detail=error.outcome.detail)
            native = bool(asking.request.tools) and way.tools == "native"
            checked = check_reply(written, asking.request, native, self._settings.reasoning_as_answer, asking.limit)
            if not asking.ask_again(checked):
                return checked

    async def _written(self, asking: _Asking, gate: Gate, tally: Tally) -> tuple[Written, Way]:
        """What the model wrote; where something about the server is unknown, only one call at a time finds it out."""
        if not self._formats.unknown(asking.request):
            return await self._adapted(asking, gate, tally)
        if self._finding_out.locked():
            async with self._finding_out:
                pass  # whatever came of it: who goes on now goes together with the others
            return await self._adapted(asking, gate, tally)
        async with self._finding_out:
            return await self._adapted(asking, gate, tally)

    async def _adapted(self, asking: _Asking, gate: Gate, tally: Tally) -> tuple[Written, Way]:
        """What the model wrote, the call changed until the server takes it; a refusal is no failed try."""
        while True:
            way = self._formats.way
            body = chat_body(asking.request, self._settings, way, asking.limit, asking.wrong)
            try:
                written = await self._tries.send("/chat/completions", body, read_written, gate, tally, asking.limit)
            except RefusedError as error:
                if not self._formats.give_up(error.outcome.kind, way):
                    raise
                continue
            if self._ignores_tools(asking.request, way, written) and self._formats.without_tools("ignores tools"):
                continue
            self._formats.confirm(asking.request, way)
            return written, way

    def _ignores_tools(self, request: Request, way: Way, written: Written) -> bool:
        """Whether a server that was told to call a tool wrote something else, and has never done otherwise."""
        native = bool(request.tools) and way.tools == "native" and not self._formats.settled_tools()
        cut = written.finish in {"length", "content_filter"} or bool(written.refusal)
        return native and not written.calls and not cut

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
        fixed = {"format": "write structured: auto", "tools": "write tools: auto"}.get(outcome.kind, "")
        return self._place.refused(outcome.detail, fixed)

    async def _models(self) -> Outcome:
        return understood(await self._endpoint.get("/models"), frozenset())

    def _count_failure(self, error: GivenUpError) -> None:
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= FAILURES_IN_A_ROW:
            raise self._place.failing(self._failed_in_a_row, error.detail) from None
