"""Where a model answers: the server's address and the key for it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from designsearch.dsl.problems import UserError
from designsearch.runtime.models.settings import ModelSettings

OPENAI = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"

CALLS = ("/chat/completions", "/completions", "/embeddings", "/responses", "/models")
"""What follows the address of a server in the address of one kind of call."""

HERE = ("localhost", "127.", "[::1]", "192.168.", "10.")
"""Hosts that speak http, mostly."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server.

    Attributes:
        url: its address, as in ``http://127.0.0.1:8080/v1``.
        key: the key; ``None`` where it wants none.
    """

    url: str
    key: str | None = field(default=None, repr=False)

    @property
    def shown(self) -> str:
        """The address without a name and password that may stand in it."""
        return shown(self.url)


def shown(url: str) -> str:
    """An address without a name and password that may stand in it."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def endpoint_of(role: str, settings: ModelSettings, needs_key: bool = True) -> Endpoint:
    """The server of a role.

    Args:
        role: for errors.
        settings: what the study says of the role's model.
        needs_key: whether calls will be sent; a replay sends none.

    Raises:
        UserError: the address is not one of a server, or the variable of the key is not set.
    """
    url = OPENAI if settings.base_url is None else _address(f"models.{role}.base_url", settings.base_url)
    variable = settings.api_key_env or (OPENAI_KEY if settings.base_url is None else None)
    if variable is None or not needs_key:
        return Endpoint(url)
    key = os.environ.get(variable, "").strip()
    if not key:
        which = "" if settings.api_key_env else ", since no base_url is given and so OpenAI's own server is asked"
        raise UserError(
            f"models.{role}.api_key_env: the environment variable {variable} is not set{which}; set it with: "
            f"export {variable}=KEY"
        )
    return Endpoint(url, key)


def _address(place: str, written: str) -> str:
    """A server's address in its one form.

    Raises:
        UserError: it is not one, with the right form.
    """
    url = written.strip().rstrip("/")
    scheme, mark, rest = url.partition("://")
    if not mark:
        likely = "http" if url.startswith(HERE) else "https"
        raise UserError(f"{place}: {shown_in(written)} has no scheme; write {likely}://{shown_in(url)}")
    if scheme.lower() not in {"http", "https"}:
        raise UserError(f"{place}: {shown(written)} is no address of a server; write http://HOST:PORT/v1 or https://")
    for call in CALLS:
        if url.endswith(call):
            raise UserError(
                f"{place}: {shown(written)} is the address of one kind of call; write the server's, "
                f"{shown(url.removesuffix(call))}"
            )
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if usable and (parts.query or parts.fragment):
        bare = shown(parts._replace(query="", fragment="").geturl())
        raise UserError(
            f"{place}: {bare} has more behind it, from ? or # on; leave that out: a key is named by "
            "api_key_env, further fields of a call stand in send"
        )
    if not usable or any(character.isspace() for character in rest):
        raise UserError(f"{place}: {written!r} names no host that can be asked; write http://HOST:PORT/v1")
    return url


def shown_in(text: str) -> str:
    """An address without scheme, and without a name and password that may stand in it."""
    return text.strip().rpartition("@")[2]
