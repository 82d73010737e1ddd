"""One request written the way its server takes it, which the first request finds out for all."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from designsearch.runtime.models.base import Gate
from designsearch.runtime.models.exchange.body import Written, read_written
from designsearch.runtime.models.exchange.call_body import chat_body
from designsearch.runtime.models.exchange.formats import Formats, Way
from designsearch.runtime.models.exchange.reply_check import Checked, wrote_instead
from designsearch.runtime.models.exchange.tries import RefusedError, Tries, Usage
from designsearch.runtime.models.requests import Request
from designsearch.runtime.models.settings import ModelSettings


@dataclass
class Asking:
    """A request on its way: what has been tried for it.

    Each way to fail is met once more: an empty reply by asking again, a reply that was cut by twice the limit, an
    invalid one by saying what was wrong.

    Attributes:
        request: what is asked.
        limit: the longest reply, in tokens.
        wrong: the last reply and what was wrong with it, where the model is told.
        checked: the last reply, where the request is being repeated.
    """

    request: Request
    limit: int
    wrong: tuple[str, str] | None = None
    checked: Checked | None = None
    _repeated: frozenset[str] = frozenset()

    def ask_again(self, checked: Checked) -> bool:
        """Get ready to ask once more; whether there is any point in it."""
        if not checked.again or checked.failure in self._repeated:
            return False
        self._repeated |= {checked.failure}
        self.checked = checked
        if checked.failure == "truncated":
            self.limit *= 2
        elif checked.failure == "invalid":
            self.wrong = checked.text, checked.reason
        return True


class Negotiation:
    """Sends requests and changes how, until the server takes them.

    Args:
        settings: the model and how it is asked.
        formats: what is known about the server.
        tries: sends one call.
    """

    def __init__(self, settings: ModelSettings, formats: Formats, tries: Tries) -> None:
        self._settings = settings
        self._formats = formats
        self._tries = tries
        self._finding_out = asyncio.Lock()

    async def written(self, asking: Asking, gate: Gate, usage: Usage) -> tuple[Written, Way]:
        """What the model wrote, and how it was asked.

        Where something about the server is unknown, one request finds it out and the others wait for that. Whatever
        came of it, they then go on together: a server that does not answer must not be waited for by each in turn.

        Raises:
            RefusedError, GivenUpError, OutOfBudgetError, CannotContinueError: as :meth:`Tries.send`.
        """
        if not self._formats.unknown(asking.request):
            return await self._adapted(asking, gate, usage)
        if self._finding_out.locked():
            async with self._finding_out:
                pass
            return await self._adapted(asking, gate, usage)
        async with self._finding_out:
            return await self._adapted(asking, gate, usage)

    def learn(self, checked: Checked, way: Way) -> None:
        """Take note of what a reply tells about its server."""
        if checked.prose:
            self._formats.without_schema(way)

    async def _adapted(self, asking: Asking, gate: Gate, usage: Usage) -> tuple[Written, Way]:
        """What the model wrote, the call changed until the server takes it; a refusal is no failed try."""
        while True:
            way = self._formats.way
            body = chat_body(asking.request, self._settings, way, asking.limit, asking.wrong)
            try:
                written = await self._tries.send("/chat/completions", body, read_written, gate, usage, asking.limit)
            except RefusedError as error:
                if not self._formats.give_up(error.outcome.kind, way):
                    raise
                continue
            if self._ignores_tools(asking.request, way, written) and self._formats.without_tools("ignores tools"):
                continue
            self._formats.confirm(asking.request, way, tool_called=bool(written.calls))
            return written, way

    def _ignores_tools(self, request: Request, way: Way, written: Written) -> bool:
        """Whether a server that was told to call a tool wrote something else, and has never done otherwise."""
        native = bool(request.tools) and way.tools == "native" and not self._formats.settled_tools()
        return native and wrote_instead(written)
