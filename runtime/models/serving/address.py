"""Where a model answers: the server's address and the key for it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from designsearch.dsl.problems import UserError
from designsearch.runtime.models.exchange.complaints import shown_url
from designsearch.runtime.models.settings import ModelSettings

OPENAI = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"

CALLS = ("/chat/completions", "/completions", "/embeddings", "/responses", "/models")
"""What follows the address of a server in the address of one kind of call."""

HERE = ("localhost", "127.", "[::1]", "192.168.", "10.")
"""Hosts that speak http, mostly."""


@dataclass(frozen=True, slots=True)
class Address:
    """A server's address, and the key for it.

    Attributes:
        url: the address, as in ``http://127.0.0.1:8080/v1``.
        key: the key; ``None`` where the server wants none.
    """

    url: str
    key: str | None = field(default=None, repr=False)

    @property
    def shown(self) -> str:
        """The address without a name and password that may stand in it."""
        return shown_url(self.url)


def address_of(role: str, settings: ModelSettings, needs_key: bool = True) -> Address:
    """The server of a role.

    Args:
        role: for errors.
        settings: what the study says of the role's model.
        needs_key: whether calls will be sent; a replay sends none.

    Raises:
        UserError: the address is not one of a server, or the variable of the key is not set.
    """
    url = OPENAI if settings.base_url is None else _checked(f"models.{role}.base_url", settings.base_url)
    variable = settings.api_key_env or (OPENAI_KEY if settings.base_url is None else None)
    if variable is None or not needs_key:
        return Address(url)
    key = os.environ.get(variable, "").strip()
    if not key:
        which = "" if settings.api_key_env else ", since no base_url is given and so OpenAI's own server is asked"
        raise UserError(
            f"models.{role}.api_key_env: the environment variable {variable} is not set{which}; set it with: "
            f"export {variable}=KEY"
        )
    return Address(url, key)


def _checked(place: str, written: str) -> str:
    """A server's address in its one form.

    Raises:
        UserError: it is not one, with the right form.
    """
    url = written.strip().rstrip("/")
    scheme, mark, rest = url.partition("://")
    if not mark:
        likely = "http" if url.startswith(HERE) else "https"
        raise UserError(
            f"{place}: {_without_password(written)} has no scheme; write {likely}://{_without_password(url)}"
        )
    if scheme.lower() not in {"http", "https"}:
        raise UserError(
            f"{place}: {shown_url(written)} is no address of a server; write http://HOST:PORT/v1 or https://"
        )
    for call in CALLS:
        if url.endswith(call):
            raise UserError(
                f"{place}: {shown_url(written)} is the address of one kind of call; write the server's, "
                f"{shown_url(url.removesuffix(call))}"
            )
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if usable and (parts.query or parts.fragment):
        raise UserError(
            f"{place}: {shown_url(url)} has more behind it, from ? or # on; leave that out: a key is named by "
            "api_key_env, further fields of a call stand in send"
        )
    if not usable or any(character.isspace() for character in rest):
        raise UserError(f"{place}: {shown_url(url)!r} names no host that can be asked; write http://HOST:PORT/v1")
    return url


def _without_password(text: str) -> str:
    """An address without scheme, and without a name and password that may stand in it."""
    return text.strip().rpartition("@")[2]
