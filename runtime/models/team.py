"""All models of a study or a command, one a role, sharing cache, caps and servers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from designsearch.runtime.models.base import Model
from designsearch.runtime.models.calls import CallStore
from designsearch.runtime.models.meter import NO_CAPS, Caps, Spending, Tally
from designsearch.runtime.models.settings import ModelSettings, Role
from designsearch.runtime.services import Embedder


def _silent(line: str) -> None:
    """Say nothing."""


class Team:
    """All models of a study or command, one a role, sharing cache, caps and servers.

    Attributes:
        fingerprints: by role ``offline``, or what stands for everything that its replies depend on.
    """

    fingerprints: dict[str, str]

    @classmethod
    def open(
        cls,
        settings: Mapping[Role, ModelSettings],
        calls: CallStore | None = None,
        caps: Caps = NO_CAPS,
        say: Callable[[str], None] = _silent,
    ) -> Team:
        """The team that a study's ``models`` block names; nothing is contacted yet.

        Raises:
            UserError: a setting cannot work, a key's variable is not set, a price is missing where dollars are capped.
        """
        raise NotImplementedError

    def model(self, role: Role) -> Model | None:
        """The model of a role; ``None`` where it is offline."""
        raise NotImplementedError

    def embedder(self) -> Embedder:
        """What makes vectors; the bundled one where the role is offline."""
        raise NotImplementedError

    def check(self) -> list[str]:
        """Contact every server once, free of tokens.

        Raises:
            CannotContinueError: one is not there, refuses the key, or does not know the model.
        """
        raise NotImplementedError

    def destinations(self) -> list[str]:
        """One line a server: which roles, which model, where, and what text it gets; empty when all is offline."""
        raise NotImplementedError

    def begin(self, work: str) -> None:
        """Name the work that new calls are booked on: ``base``, ``trial 7``, ``claim``, ..."""
        raise NotImplementedError

    @property
    def spent(self) -> Spending:
        """What was really spent in this study, earlier runs included."""
        raise NotImplementedError

    def tallies(self) -> list[Tally]:
        """By role and purpose, over all work."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop local servers and close connections and the store; also done at exit."""
        raise NotImplementedError
