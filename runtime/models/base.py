"""The interfaces behind which every model stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from designsearch.runtime.models.requests import Reply, Request
from designsearch.runtime.records import Answer, Context


class Model(Protocol):
    """A language model in one role.

    Attributes:
        name: what people call it, as in ``qwen3-8b at http://127.0.0.1:8080/v1``.
        fingerprint: stands for everything beside the request that a reply depends on; part of every cache key.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def fingerprint(self) -> str: ...  # noqa: D102

    def complete(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply a request, in order; requests are in flight together, as many as the settings allow.

        A reply that failed says why; only what no further request would survive is raised.

        Raises:
            OutOfBudgetError: a cap was reached, or the server's quota is used up. Replies that came are cached.
            CannotContinueError: the server is not there, refuses the key, or does not know the model.
        """
        ...


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to an answerer.

    Attributes:
        question: the user's words.
        context: what may be read.
        as_of: ISO 8601 time of asking, ``None`` where unknown. Relative dates in the question count from it; those in
            the context count from the time shown with each record.
        max_output_tokens: the longest answer; ``None`` for the model's own limit.
        replicate: 0-based repetition, for answerers that are not deterministic.
    """

    question: str
    context: Context
    as_of: str | None = None
    max_output_tokens: int | None = None
    replicate: int = 0


class Answerer(Protocol):
    """Answers questions from a context and from nothing else.

    The context's text is data: whatever it says, it is never followed as an instruction or rendered as a template.
    Where the context does not hold the answer, the answer has an empty text and ``abstained`` is True; where the
    answerer failed, ``failure`` says why, and of the rest only what it took means anything.

    Attributes:
        name: what people call it, such as ``offline``.
        fingerprint: stands for everything beside the arguments that an answer depends on; part of every cache key.
        replicates: times that each question is asked; 1 for one that always answers the same.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def fingerprint(self) -> str: ...  # noqa: D102

    @property
    def replicates(self) -> int: ...  # noqa: D102

    def answer_all(self, asks: Sequence[Ask]) -> list[Answer]:
        """One answer a question, in order.

        Raises:
            OutOfBudgetError, CannotContinueError: as :meth:`Model.complete`.
        """
        ...


class Ticket(Protocol):
    """A call in flight, paid for in advance."""

    def settle(self, input_tokens: int | None, output_tokens: int | None) -> float:
        """Enter what the call took instead of what was reserved.

        Args:
            input_tokens: as the server counted; ``None`` where it did not say, which keeps the reserved number; 0 for
                a call that the server refused without reading it.
            output_tokens: likewise.

        Returns:
            The cost in US dollars.
        """
        ...


class Gate(Protocol):
    """What each call passes before it is sent, repeated ones too."""

    def reserve(self, input_tokens: int, output_tokens: int) -> Ticket:
        """Set the most that a call can take aside.

        Args:
            input_tokens: the call's own length, estimated from above.
            output_tokens: the longest reply.

        Raises:
            OutOfBudgetError: a cap would be passed; the call must not be sent.
        """
        ...
