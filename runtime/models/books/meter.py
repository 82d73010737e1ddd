"""Money and calls: what was spent, what is in flight, and the caps that their sum never passes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock

from designsearch.dsl.problems import OutOfBudgetError
from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.books.spending import NO_CAPS, Caps, Spending, cost
from designsearch.runtime.models.settings import Price

ROUNDING = 1e-9
"""US dollars that sums of floats may be off."""


class CapReachedError(OutOfBudgetError):
    """A cap of the study would be passed.

    Attributes:
        cap: its name, ``usd`` or ``llm_calls``.
        passing: whether it would fit once what is in flight has cost nothing, so that waiting may help.
    """

    def __init__(self, cap: str, message: str, passing: bool) -> None:
        super().__init__(message)
        self.cap = cap
        self.passing = passing


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call that was reserved: its number in the store, what it is booked on, and the most that it can take."""

    number: int
    work: str
    role: str
    purpose: str
    most: Spending


class Meter:
    """Counts every call of a team before it is sent and after it came back.

    Args:
        store: where reservations and settlements are written, so that a killed process is not forgotten.
        caps: the limits, over all runs of the store.

    Attributes:
        work: what calls are booked on from now on.
        settled: calls that came back so far.
    """

    def __init__(self, store: CallStore, caps: Caps = NO_CAPS) -> None:
        self._store = store
        self.caps = caps
        self.work = ""
        self.settled = 0
        self._lock = RLock()
        self._spent = store.spent()
        self._in_flight = Spending()
        self._beyond: dict[str, tuple[int, int]] = {}

    @property
    def spent(self) -> Spending:
        """What was spent, in earlier runs too; calls in flight are not in it."""
        return self._spent

    @property
    def in_flight(self) -> Spending:
        """The most that the calls now in flight can take."""
        return self._in_flight

    @contextmanager
    def gate(self, role: str, purpose: str, price: Price | None) -> Iterator[MeteredGate]:
        """What the calls for one request pass; a call left open at the end counts as its reserved most."""
        gate = MeteredGate(self, role, purpose, price)
        try:
            yield gate
        finally:
            for ticket in gate.tickets:
                ticket.settle(None, None)

    def beyond(self, role: str) -> tuple[int, int]:
        """Tokens read and written by which a call of the role took more than its most, at worst so far.

        Some servers put a prompt of their own before each call, and bill it.
        """
        return self._beyond.get(role, (0, 0))

    def take_note(self, role: str, read: int, written: int) -> None:
        """Remember that a call took so many tokens more than its length and limit said."""
        with self._lock:
            known = self.beyond(role)
            self._beyond[role] = max(known[0], read), max(known[1], written)

    def reserve(self, role: str, purpose: str, most: Spending) -> OpenCall:
        """Set the most of one call aside.

        Raises:
            CapReachedError: a cap would be passed.
        """
        with self._lock:
            self._refuse(most)
            number = self._store.reserve(self.work, role, purpose, most)
            self._in_flight += most
            return OpenCall(number, self.work, role, purpose, most)

    def settle(self, call: OpenCall, took: Spending) -> None:
        """Enter what a call took instead of its most."""
        with self._lock:
            self.settled += 1
            self._in_flight -= call.most
            self._spent += took
            self._store.settle(call.number, call.work, call.role, call.purpose, took)

    def _refuse(self, most: Spending) -> None:
        spent, flying, caps = self._spent, self._in_flight, self.caps
        if caps.usd is not None and spent.usd + flying.usd + most.usd > caps.usd + ROUNDING:
            raise CapReachedError(
                "usd",
                f"usd {caps.usd:g} is reached: ${spent.usd:.6f} spent, ${flying.usd:.6f} in flight, and the next call "
                f"could take ${most.usd:.6f}; raise budget.usd to go on",
                spent.usd + most.usd <= caps.usd + ROUNDING,
            )
        if caps.calls is not None and spent.calls + flying.calls + most.calls > caps.calls:
            raise CapReachedError(
                "llm_calls",
                f"llm_calls {caps.calls} is reached: {spent.calls} made, {flying.calls} in flight, and the next would "
                "be one more; raise budget.llm_calls to go on",
                passing=False,
            )


class MeteredGate:
    """A :class:`~designsearch.runtime.models.base.Gate` of one request.

    Attributes:
        role: whose calls pass.
        purpose: what they are for.
        tickets: every call that passed.
    """

    def __init__(self, meter: Meter, role: str, purpose: str, price: Price | None) -> None:
        self.role = role
        self.purpose = purpose
        self.tickets: list[MeteredTicket] = []
        self._meter = meter
        self._price = price

    def reserve(self, input_tokens: int, output_tokens: int) -> MeteredTicket:
        """Set the most that a call can take aside.

        Raises:
            CapReachedError: a cap would be passed.
        """
        beyond = self._meter.beyond(self.role)
        read, written = input_tokens + beyond[0], output_tokens + beyond[1]
        most = Spending(1, cost(self._price, read, written), read, written)
        call = self._meter.reserve(self.role, self.purpose, most)
        ticket = MeteredTicket(self._meter, call, self._price, (input_tokens, output_tokens))
        self.tickets.append(ticket)
        return ticket


class MeteredTicket:
    """A call in flight; settled once, a second time changes nothing.

    Args:
        meter: where it is entered.
        call: what was reserved for it.
        price: of its tokens.
        sent: its own length and limit, in tokens.
    """

    def __init__(self, meter: Meter, call: OpenCall, price: Price | None, sent: tuple[int, int]) -> None:
        self._meter = meter
        self._call = call
        self._price = price
        self._sent = sent
        self._took: Spending | None = None

    def settle(self, input_tokens: int | None, output_tokens: int | None) -> float:
        """Enter what the call took; ``None`` keeps what was reserved. Returns its cost in US dollars."""
        if self._took is None:
            read = self._call.most.input_tokens if input_tokens is None else input_tokens
            written = self._call.most.output_tokens if output_tokens is None else output_tokens
            self._took = Spending(1, cost(self._price, read, written), read, written)
            self._meter.take_note(self._call.role, read - self._sent[0], written - self._sent[1])
            self._meter.settle(self._call, self._took)
        return self._took.usd
