"""One call, repeated while its trouble is a passing one; every try is paid for through the gate."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from designsearch.runtime.models.base import Gate
from designsearch.runtime.models.exchange.body import OddBodyError, usage_in
from designsearch.runtime.models.exchange.call_body import most_tokens
from designsearch.runtime.models.exchange.complaints import Place
from designsearch.runtime.models.exchange.endpoint import MOST_BYTES, Endpoint
from designsearch.runtime.models.exchange.refusals import LOST_ON_THE_WAY, Kind, Outcome, understood
from designsearch.runtime.models.exchange.waiting import asked_wait, backoff
from designsearch.runtime.models.requests import Failure
from designsearch.runtime.models.settings import ModelSettings

T = TypeVar("T")

Sleep = Callable[[float], Awaitable[None]]

CONNECTIONS_TRIED = 3
"""Times that a connection is tried where nothing answers, within about 2 seconds."""

FIRST_WAIT = 0.5
"""Seconds before the first repeated try."""

FIRST_WAIT_WHEN_BUSY = 2.0
"""The same after a server that is asked too often and does not say when to come back."""

_PASSING: frozenset[Kind] = frozenset({"timeout", "broken", "odd", "server", "busy"})


class RefusedError(Exception):
    """A call that would be refused again.

    Attributes:
        outcome: why, the key hidden.
    """

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.detail)
        self.outcome = outcome


class GivenUpError(Exception):
    """A call whose trouble did not pass.

    Attributes:
        failure: what became of it.
        detail: one line about it.
    """

    def __init__(self, failure: Failure, detail: str) -> None:
        super().__init__(detail)
        self.failure: Failure = failure
        self.detail = detail


@dataclass(slots=True)
class Usage:
    """What the calls for one request took, all tries together."""

    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    calls: int = 0


class Tries:
    """Sends calls and repeats them.

    Args:
        endpoint: the way to the server.
        settings: how often and how long.
        place: the words for people.
        sleep: how time is waited for.
    """

    def __init__(self, endpoint: Endpoint, settings: ModelSettings, place: Place, sleep: Sleep) -> None:
        self._endpoint = endpoint
        self._settings = settings
        self._place = place
        self._sleep = sleep

    async def send(
        self,
        path: str,
        body: Mapping[str, Any],
        read: Callable[[Any], T],
        gate: Gate,
        usage: Usage,
        most_output: int = 0,
    ) -> T:
        """What ``read`` makes of the body that comes back.

        Args:
            path: below the base URL.
            body: the call.
            read: takes the JSON apart; an ``OddBodyError`` of its own is a passing trouble.
            gate: what each try passes.
            usage: gets what it took.
            most_output: the longest reply in tokens.

        Raises:
            RefusedError: the server will not take this call.
            GivenUpError: the trouble did not pass.
            OutOfBudgetError: a cap, a quota, or too long a wait.
            CannotContinueError: nothing answers.
        """
        length = most_tokens(body)
        failed = unreachable = 0
        while True:
            outcome, headers = await self._once(path, body, gate, usage, (length, most_output))
            if not outcome.kind:
                try:
                    return read(outcome.body)
                except OddBodyError as error:
                    outcome = Outcome("odd", detail=str(error), status=outcome.status)
            if outcome.kind == "unreachable":
                unreachable += 1
                if unreachable >= CONNECTIONS_TRIED:
                    raise self._place.unreachable(outcome.detail) from None
                await self._sleep(FIRST_WAIT * unreachable)
                continue
            failed += 1
            self._raise_where_final(outcome, failed)
            await self._sleep(self._wait(outcome, headers, failed, repr(body)))

    async def _once(
        self, path: str, body: Mapping[str, Any], gate: Gate, usage: Usage, most: tuple[int, int]
    ) -> tuple[Outcome, Mapping[str, str]]:
        ticket = gate.reserve(*most)
        try:
            response = await self._endpoint.post(path, body)
        except BaseException:
            ticket.settle(None, None)
            raise
        outcome = understood(response, body.keys(), self._place.secret)
        used = _used(outcome)
        usage.cost += ticket.settle(*used)
        usage.seconds += response.seconds
        usage.calls += response.trouble != "unreachable"
        usage.input_tokens += most[0] if used[0] is None else used[0]
        usage.output_tokens += most[1] if used[1] is None else used[1]
        return outcome, response.headers

    def _raise_where_final(self, outcome: Outcome, failed: int) -> None:
        """Raise where another try would not help, or none is left."""
        if outcome.kind == "quota":
            raise self._place.used_up(outcome.detail)
        if outcome.kind == "too_large":
            raise GivenUpError("server", f"the reply was longer than {MOST_BYTES // 2**20} MB")
        if outcome.kind not in _PASSING:
            raise RefusedError(outcome)
        if failed > self._settings.retries:
            raise GivenUpError("timeout" if outcome.kind == "timeout" else "server", self._told(outcome))

    def _told(self, outcome: Outcome) -> str:
        if outcome.kind == "timeout":
            return f"no reply within {self._settings.timeout:g} s"
        if outcome.kind == "broken":
            return "the connection broke before the reply was whole"
        return f"the server answered with {outcome.detail}"

    def _wait(self, outcome: Outcome, headers: Mapping[str, str], failed: int, identity: str) -> float:
        """Seconds until the next try.

        Raises:
            OutOfBudgetError: the server asks for longer than the settings allow.
        """
        longest = self._settings.longest_wait
        asked = asked_wait(headers, datetime.now(UTC)) if outcome.kind in {"busy", "server"} else None
        if asked is None and outcome.kind == "busy":
            asked = outcome.wait
        if asked is None:
            first = FIRST_WAIT_WHEN_BUSY if outcome.kind == "busy" else FIRST_WAIT
            return min(longest, backoff(failed, first, identity))
        if asked > longest:
            raise self._place.long_wait(asked, longest)
        return max(asked, backoff(failed, FIRST_WAIT, identity)) if asked == 0 else asked


def _used(outcome: Outcome) -> tuple[int | None, int | None]:
    """Tokens of one try: as counted, none where the server refused it, unknown where the reply was lost."""
    if not outcome.kind:
        return usage_in(outcome.body)
    if outcome.kind == "unreachable":
        return 0, 0
    if outcome.status >= 300 and outcome.status not in LOST_ON_THE_WAY:
        return 0, 0
    return usage_in(outcome.body)
