"""One exchange with an OpenAI-compatible server: bytes out, status and bytes back, whatever happens."""

from __future__ import annotations

import asyncio
import gc
import time
import zlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from designsearch.runtime.models.exchange.secret import Secret

if TYPE_CHECKING:
    import httpx2
    import openai

MOST_BYTES = 16 * 2**20
"""The largest body that is read; no reply to a single request is as long."""

_PACKED = frozenset({"gzip", "x-gzip", "deflate"})
_GZIP_OR_ZLIB = zlib.MAX_WBITS + 32
"""What tells zlib to see for itself which of the two it is."""

CONNECT_SECONDS = 5.0
"""Seconds until a connection is given up, where the whole call may take longer."""

Trouble = Literal["", "timeout", "unreachable", "broken", "too_large"]
"""What kept a response from coming: the time ran out; no connection; a connection that broke; too large a body."""


@dataclass(frozen=True, slots=True)
class Response:
    """What came of one exchange.

    Attributes:
        status: HTTP status, 0 where no response came whole.
        headers: their names in small letters.
        body: as it came, without the key.
        seconds: from sending to the last byte.
        trouble: why there is no whole response, empty where there is one.
        detail: the trouble in words of the operating system, without the key.
    """

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    seconds: float = 0.0
    trouble: Trouble = ""
    detail: str = ""


class Endpoint:
    """The way to one server, through OpenAI's own client; it is made when first used.

    Args:
        base_url: the server, as in ``http://127.0.0.1:8080/v1``.
        secret: its key.
        timeout: seconds that an exchange may take, all together.
        connections: connections kept open between exchanges.
    """

    def __init__(self, base_url: str, secret: Secret, timeout: float, connections: int) -> None:
        self._base_url = base_url
        self._secret = secret
        self._timeout = timeout
        self._connections = connections
        self._client: openai.AsyncOpenAI | None = None
        self._options: Any = None

    async def post(self, path: str, body: Mapping[str, Any]) -> Response:
        """Send a call, once."""
        return await self._exchange("post", path, body)

    async def get(self, path: str) -> Response:
        """Read something, once."""
        return await self._exchange("get", path, None)

    async def close(self) -> None:
        """Close the connections; a later exchange opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _exchange(self, method: Literal["get", "post"], path: str, body: Mapping[str, Any] | None) -> Response:
        client = self._client or self._open()
        import httpx2
        import openai

        begun = time.perf_counter()
        try:
            async with asyncio.timeout(self._timeout):
                if method == "get":
                    made = await client.get(path, cast_to=httpx2.Response, options=self._options)
                else:
                    made = await client.post(path, body=body, cast_to=httpx2.Response, options=self._options)
        except openai.APIStatusError as error:
            made = error.response
        except TimeoutError:
            return Response(seconds=time.perf_counter() - begun, trouble="timeout")
        except _TooLargeError:
            return Response(seconds=time.perf_counter() - begun, trouble="too_large")
        except (openai.APIConnectionError, httpx2.HTTPError, httpx2.InvalidURL) as error:
            trouble, detail = _trouble(error)
            return Response(seconds=time.perf_counter() - begun, trouble=trouble, detail=self._secret.hide(detail))
        headers = {name.lower(): value for name, value in made.headers.items()}
        return Response(made.status_code, headers, self._secret.hide_in(made.content), time.perf_counter() - begun)

    def _open(self) -> openai.AsyncOpenAI:
        import httpx2
        import openai

        _set_aside_what_is_loaded()
        self._client = openai.AsyncOpenAI(
            api_key="unused",  # the header below counts; without a key here the client would look for one by itself
            base_url=self._base_url,
            max_retries=0,
            timeout=None,
            http_client=httpx2.AsyncClient(
                timeout=httpx2.Timeout(None, connect=min(CONNECT_SECONDS, self._timeout)),
                limits=httpx2.Limits(max_connections=None, max_keepalive_connections=self._connections),
                event_hooks={"response": [_limit]},
            ),
        )
        headers: dict[str, Any] = {"Accept-Encoding": "identity"}
        headers["Authorization"] = self._secret.header if self._secret else openai.Omit()
        if self._client.base_url.host != "api.openai.com":  # the environment's are nobody else's business
            headers |= {"OpenAI-Organization": openai.Omit(), "OpenAI-Project": openai.Omit()}
        self._options = {
            "headers": headers,
            "timeout": httpx2.Timeout(None, connect=min(CONNECT_SECONDS, self._timeout)),
        }
        return self._client


@cache
def _set_aside_what_is_loaded() -> None:
    """Spare the garbage collector the modules of the process, once.

    They are hundreds of thousands of objects by now, most of the client's, and live as long as the process does. While
    calls are in flight they would be looked through again and again, which costs a fortieth of the time.
    """
    gc.collect()
    gc.freeze()


class _TooLargeError(Exception):
    pass


async def _limit(response: httpx2.Response) -> None:
    """Before a body is read: let it end with an error where it grows too large.

    It is unpacked here where it was packed, unasked: a few bytes can unpack to more than the memory holds.
    """
    import httpx2

    whole = response.stream
    packed = response.headers.get("content-encoding", "").strip().lower() in _PACKED
    if packed:
        del response.headers["content-encoding"]

    class Limited(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            unpacker = zlib.decompressobj(wbits=_GZIP_OR_ZLIB) if packed else None
            length = 0
            async for part in whole:  # type: ignore[union-attr]
                try:
                    shown = part if unpacker is None else unpacker.decompress(part, MOST_BYTES + 1 - length)
                except zlib.error as error:
                    raise httpx2.DecodingError(str(error)) from None
                length += len(shown)
                if length > MOST_BYTES:
                    raise _TooLargeError
                yield shown

        async def aclose(self) -> None:
            await whole.aclose()  # type: ignore[union-attr]

    response.stream = Limited()


def _trouble(error: Exception) -> tuple[Trouble, str]:
    """Whether a call was lost before it was sent or after, and the system's own words for it."""
    import httpx2

    cause = error.__cause__ if error.__cause__ is not None else error
    detail = " ".join(str(cause).split())[:200]
    never_sent = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError, httpx2.InvalidURL)
    if isinstance(cause, never_sent):
        return "unreachable", detail
    return ("timeout" if isinstance(cause, httpx2.TimeoutException) else "broken"), detail
