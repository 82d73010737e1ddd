"""One request to a model behind an OpenAI-compatible server, end to end."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence

from designsearch.runtime.models.base import Gate
from designsearch.runtime.models.requests import Reply, Request
from designsearch.runtime.models.settings import ModelSettings


class Dialogue:
    """Asks one model at one server; each request ends in a checked reply or in the reason why there is none.

    Args:
        settings: how the model is asked.
        base_url: the server, as in ``http://127.0.0.1:8080/v1``.
        api_key: the key, ``None`` where the server wants none; it appears in no text.
        role: what the study calls the role, as in ``models.helper``, for errors.
        facts: what was found out about the server and the model; kept by the caller, so that it survives a restart.
        say: gets a line for people when something was found out.
    """

    def __init__(
        self,
        settings: ModelSettings,
        base_url: str,
        api_key: str | None,
        role: str,
        facts: MutableMapping[str, str],
        say: Callable[[str], None],
    ) -> None:
        raise NotImplementedError

    async def ask(self, request: Request, gate: Gate) -> Reply:
        """The reply to a request, with as many calls as that takes.

        Raises:
            OutOfBudgetError: a cap was reached, the quota is used up, or the server asks for too long a wait.
            CannotContinueError: the server is not there, refuses the key or the call, or does not know the model.
        """
        raise NotImplementedError

    async def embed(self, texts: Sequence[str], gate: Gate) -> list[list[float]]:
        """A vector for each text, by one call (and those that repeat it).

        Raises:
            OutOfBudgetError, CannotContinueError: as :meth:`ask`.
        """
        raise NotImplementedError

    async def check(self) -> list[str]:
        """What is odd about the server, for people; empty where it lists the model.

        Raises:
            CannotContinueError: the server is not there or refuses the key.
        """
        raise NotImplementedError

    async def close(self) -> None:
        """Close the connections."""
        raise NotImplementedError
