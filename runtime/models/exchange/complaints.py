"""What people are told when a server cannot be worked with: one line each, with what to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from urllib.parse import urlsplit, urlunsplit

from designsearch.dsl.problems import CannotContinueError, OutOfBudgetError, UserError, nearest
from designsearch.runtime.models.exchange.secret import Secret

MOST_NAMES = 8
"""Names of models that one message lists."""


@dataclass(frozen=True)
class Place:
    """Who asks whom.

    Attributes:
        role: what the study calls the role, as in ``models.helper``.
        url: the server, without a password in it.
        model: the model's name there.
        secret: the key.
        key_variable: the environment variable for the key, ``None`` where the study names none.
    """

    role: str
    url: str
    model: str
    secret: Secret
    key_variable: str | None

    def odd_key(self) -> UserError:
        """The key cannot be sent."""
        return UserError(
            f"{self.role}: {self._variable} holds something that no key is: look for spaces and line breaks"
        )

    def unreachable(self, detail: str) -> CannotContinueError:
        """Nothing answers there."""
        if "certificate" in detail.lower():
            return self._stop(f"the certificate of {self.url} is not accepted ({detail})")
        unknown = " (there is no machine of that name)" if "name" in detail.lower() else ""
        return self._stop(f"nothing answers at {self.url}{unknown}: is the server running, and is base_url right?")

    def refused_key(self, detail: str) -> CannotContinueError:
        """The key is wrong or missing."""
        if not self.secret:
            return self._stop(f"{self.url} wants a key ({detail}): {self._set_variable}")
        if self.key_variable is None:
            return self._stop(f"{self.url} refuses the key ({detail}): {self._set_variable}")
        return self._stop(f"{self.url} refuses the key in {self.key_variable} ({detail}): set {self.key_variable} anew")

    def unknown_model(self, detail: str, models: Sequence[str]) -> CannotContinueError:
        """The model is not there."""
        return self._stop(f"{self.url} does not know the model {self.model!r} ({detail}){self._there_are(models)}")

    def not_listed(self, models: Sequence[str]) -> str:
        """The model is not among those that the server lists; some servers take any name."""
        return f"{self.role}: {self.url} does not list the model {self.model!r}{self._there_are(models)}"

    def wrong_path(self, detail: str) -> CannotContinueError:
        """Something answers there, but not to calls of models."""
        return self._stop(f"{self.url} knows no calls of models ({detail}): is base_url right?{self._ending}")

    def no_embeddings(self, detail: str) -> CannotContinueError:
        """Something answers there, but not to texts that are to be embedded; many servers take chats alone."""
        ending = f": is base_url right?{self._ending}" if self._ending else "; name a server that has a model for that"
        return self._stop(f"{self.url} embeds no texts ({detail}){ending}")

    def web_page(self) -> CannotContinueError:
        """A page for a browser is there."""
        return self._stop(f"{self.url} answers with a web page: is base_url right?{self._ending}")

    def refused(self, detail: str, hint: str = "") -> CannotContinueError:
        """The server takes no such call."""
        return self._stop(f"{self.url} refuses the call ({detail})" + (f": {hint}" if hint else ""))

    def failing(self, requests: int, detail: str) -> CannotContinueError:
        """One request after another fails."""
        return self._stop(
            f"{requests} requests in a row failed at {self.url} (the last one: {detail}); what came before "
            "is kept: run again when the server works"
        )

    def slow_list(self, seconds: float) -> CannotContinueError:
        """Not even the models are listed in time."""
        return self._stop(f"{self.url} does not list its models within {seconds:g} s: is the server stuck, or loading?")

    def no_vectors(self, detail: str) -> CannotContinueError:
        """Texts could not be embedded."""
        return self._stop(f"{self.url} gives no vectors ({detail})")

    def used_up(self, detail: str) -> OutOfBudgetError:
        """The quota is gone."""
        return OutOfBudgetError(
            self.secret.hide(
                f"{self.role}: the quota at {self.url} is used up ({detail}); what was paid for is kept: "
                "run again when there is more"
            )
        )

    def long_wait(self, seconds: float, longest: float) -> OutOfBudgetError:
        """The server asks for more patience than the study has."""
        return OutOfBudgetError(
            f"{self.role}: {self.url} asks to be waited for {seconds:g} s, longer than longest_wait ({longest:g} s); "
            "what was paid for is kept: run again later, or raise longest_wait"
        )

    @property
    def _variable(self) -> str:
        return self.key_variable or "the variable of the key"

    @property
    def _set_variable(self) -> str:
        if self.key_variable:
            return f"set the environment variable {self.key_variable}"
        return "name the environment variable that holds it, as in api_key_env: MY_KEY"

    @property
    def _ending(self) -> str:
        return "" if self.url.rstrip("/").endswith("/v1") else " it should end in /v1"

    def _there_are(self, models: Sequence[str]) -> str:
        if not models:
            return ""
        ranked = sorted(models, key=lambda name: -SequenceMatcher(None, self.model.lower(), name.lower()).ratio())
        more = f" and {len(ranked) - MOST_NAMES} more" if len(ranked) > MOST_NAMES else ""
        hint = nearest(self.model, models)
        return f"; it has {', '.join(ranked[:MOST_NAMES])}{more}" + (f" ({hint})" if hint else "")

    def _stop(self, text: str) -> CannotContinueError:
        return CannotContinueError(self.secret.hide(f"{self.role}: {text}"))


def shown_url(url: str) -> str:
    """An address without the name, password and query that may be in it."""
    try:
        parts = urlsplit(url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", "")).rstrip("/")
    except ValueError:
        return "(no address)"
