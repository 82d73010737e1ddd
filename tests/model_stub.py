"""A stand-in for an OpenAI-compatible server, on loopback, that fails as one is told to.

    def script(path, body, number):
        if number == 0:
            return Answer(429, {"error": {"message": "slow down"}}, {"Retry-After": "1"})
        return said('{"facts": []}')

    with Stub(script) as stub:
        ...  # stub.url ends in /v1; ask it
    assert len(stub.asked) == 2
    assert stub.peak == 1

The script is called once for each request, in the order of arrival, with the path below ``/v1``
(``/chat/completions``, ``/embeddings``, ``/models``), the JSON body (``None`` where there is none) and the number of
the request, from 0. It may return

- an ``Answer``: any status, headers and body, late (``delay``), in drips (``drip``), never (``fate="silent"``), with
  the connection reset (``"reset"``) or cut in the middle of the body (``"cut"``);
- a text: a chat completion that says it; a mapping: that JSON body with status 200;
- ``None``: the server's own answer. It lists ``models``, says ``ok``, and gives each text a vector made of its
  characters.

It speaks HTTP/1.1 with keep-alive from a thread of its own. ``asked`` holds what came, with headers; ``peak`` is the
most chat and embedding calls that were in flight at once.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self


@dataclass(frozen=True)
class Answer:
    """What a script has the server do with a request.

    Attributes:
        status: HTTP status.
        body: bytes, a text, or anything that JSON can hold.
        headers: further headers; they replace those of the same name.
        delay: seconds before the first byte.
        drip: seconds between the pieces of the body.
        pieces: number of pieces, where it drips.
        fate: ``answer``; ``reset`` without a byte; ``silent`` until the client leaves; ``cut`` in the middle.
    """

    status: int = 200
    body: Any = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    pieces: int = 10
    fate: Literal["answer", "reset", "silent", "cut"] = "answer"

    def payload(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()

    def head(self, length: int) -> bytes:
        headers = {"Content-Type": "application/json", "Content-Length": str(length), **self.headers}
        lines = [f"HTTP/1.1 {self.status} X", *(f"{name}: {value}" for name, value in headers.items())]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def said(content: Any = "ok", finish: str = "stop", usage: Any = (9, 5), **message: Any) -> Answer:
    """A chat completion.

    Args:
        content: text, list of parts or ``None``.
        finish: its ``finish_reason``.
        usage: tokens read and written; ``None`` leaves the numbers out.
        **message: further parts of the message, such as ``refusal`` or ``tool_calls``.
    """
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **message}}
    body: dict[str, Any] = {"id": "x", "object": "chat.completion", "choices": [choice]}
    if usage is not None:
        body["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
    return Answer(body=body)


def called(name: str, arguments: Any, finish: str = "tool_calls", **message: Any) -> Answer:
    """A chat completion that calls a tool."""
    return called_all([(name, arguments)], finish, **message)


def called_all(calls: Sequence[tuple[str, Any]], finish: str = "tool_calls", **message: Any) -> Answer:
    """A chat completion that calls several tools."""
    made = [
        {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in enumerate(calls, 1)
    ]
    return said(None, finish, tool_calls=made, **message)


def refused(status: int, message: str, headers: Mapping[str, str] | None = None, **error: Any) -> Answer:
    """An error as OpenAI writes it; further parts of it are ``type``, ``code`` and ``param``."""
    return Answer(status, {"error": {"message": message, **error}}, headers or {})


@dataclass(frozen=True)
class Asked:
    """A request that came."""

    path: str
    body: Any
    headers: Mapping[str, str]


Script = Callable[[str, Any, int], Any]


class Stub:
    """The server; a context manager that runs it.

    Attributes:
        asked: the requests that came, in order.
        peak: the most chat and embedding calls in flight at once.
        connections: connections that were made.
        url: its ``base_url``.
    """

    def __init__(self, script: Script | None = None, models: tuple[str, ...] = ("stub",)) -> None:
        self.script = script or (lambda path, body, number: None)
        self.models = models
        self.asked: list[Asked] = []
        self.peak = 0
        self.connections = 0
        self.url = ""
        self._flying = 0
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._connected, "127.0.0.1", 0, limit=2**26), self._loop
        ).result(10)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def bodies(self, path: str = "/chat/completions") -> list[Any]:
        """The bodies of the requests to a path, in order."""
        return [asked.body for asked in self.asked if asked.path == path]

    async def _stop(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; whether the connection stays open."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        target = head[0].split(" ")[1]
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:] if line)}
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        asked = Asked(target.removeprefix("/v1"), json.loads(raw) if raw else None, headers)
        self.asked.append(asked)
        answer = self._answer(self.script(asked.path, asked.body, len(self.asked) - 1), asked)
        counted = asked.path != "/models"
        self._flying += counted
        self.peak = max(self.peak, self._flying)
        try:
            return await self._send(answer, reader, writer)
        finally:
            self._flying -= counted

    async def _send(self, answer: Answer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        if answer.delay:
            await asyncio.sleep(answer.delay)
        if answer.fate == "silent":
            await reader.read(1)
            return False
        if answer.fate == "reset":
            sock: socket.socket = writer.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
            return False
        payload = answer.payload()
        if answer.fate == "cut":
            writer.write(answer.head(len(payload)) + payload[: len(payload) // 2])
            await writer.drain()
            return False
        if answer.drip:
            return await self._drip(answer, payload, writer)
        writer.write(answer.head(len(payload)) + payload)
        await writer.drain()
        return True

    async def _drip(self, answer: Answer, payload: bytes, writer: asyncio.StreamWriter) -> bool:
        writer.write(answer.head(len(payload)))
        size = max(1, -(-len(payload) // answer.pieces))
        for start in range(0, len(payload), size):
            await asyncio.sleep(answer.drip)
            writer.write(payload[start : start + size])
            await writer.drain()
        return True

    def _answer(self, made: Any, asked: Asked) -> Answer:
        if isinstance(made, Answer):
            return made
        if isinstance(made, str):
            return said(made)
        return Answer(body=self._own(asked) if made is None else made)

    def _own(self, asked: Asked) -> Any:
        if asked.path == "/models":
            return {"object": "list", "data": [{"id": name, "object": "model"} for name in self.models]}
        if asked.path == "/embeddings":
            data = [{"index": i, "embedding": vector(text)} for i, text in enumerate(asked.body["input"])]
            return {"object": "list", "data": data, "usage": {"prompt_tokens": len(data), "total_tokens": len(data)}}
        return said().body


def vector(text: str) -> list[float]:
    """The vector that the server itself gives a text: shape (8,), whole numbers, equal for equal texts."""
    made = [0.0] * 8
    for character in text:
        made[ord(character) % 8] += 1.0
    return made
