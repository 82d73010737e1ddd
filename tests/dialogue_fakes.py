"""A dialogue with a stand-in for its server, without waiting and without money."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from model_stub import Script, Stub

from designsearch.dsl.problems import OutOfBudgetError, UserError
from designsearch.runtime.models.exchange.dialogue import Dialogue
from designsearch.runtime.models.requests import Message, Reply, Request, Tool
from designsearch.runtime.models.settings import ModelSettings

KEY = "sk-0123456789abcdef"

FACTS = {
    "type": "object",
    "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
    "required": ["facts"],
    "additionalProperties": False,
}
"""A schema: an object with a list of texts."""

NOTE = Tool("note", "Writes a fact down.", {"type": "object", "properties": {"fact": {"type": "string"}}})
STOP = Tool("stop", "Ends the work.", {"type": "object", "properties": {}, "additionalProperties": False})


def wanting(schema: Mapping[str, Any] | None = None, content: str = "What is there?", **further: Any) -> Request:
    """A request with one message."""
    return Request("memory/facts@1-00000000", (Message("user", content),), schema=schema, **further)


@dataclass
class Ledger:
    """A gate that remembers: of each call what was reserved, and what it was settled with.

    Attributes:
        most: calls after which no other may be sent.
        reserved: input and output tokens of each call.
        settled: the same after it.
    """

    most: int = 1000
    reserved: list[tuple[int, int]] = field(default_factory=list)
    settled: list[tuple[int | None, int | None]] = field(default_factory=list)

    def reserve(self, input_tokens: int, output_tokens: int) -> Ledger:
        if len(self.reserved) >= self.most:
            raise OutOfBudgetError("budget.calls: all are used")
        self.reserved.append((input_tokens, output_tokens))
        return self

    def settle(self, input_tokens: int | None, output_tokens: int | None) -> float:
        self.settled.append((input_tokens, output_tokens))
        return 0.25


@dataclass
class Talk:
    """A dialogue with a stub: a fresh server for each call of a method, what was found out is kept.

    Attributes:
        script: what the server does.
        settings: of the model, besides its name.
        facts: what was found out.
        said: lines for people.
        slept: seconds that would have been waited.
        ledger: the gate.
        url: another address than the server's.
        ending: of the address, where it is the server's.
        stub: the last server.
    """

    script: Script | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    key: str | None = KEY
    facts: dict[str, str] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)
    ledger: Ledger = field(default_factory=Ledger)
    models: tuple[str, ...] = ("stub",)
    url: str | None = None
    ending: str = "/v1"
    stub: Stub = field(default_factory=Stub, repr=False)

    def ask(self, request: Request) -> Reply:
        return self.ask_all([request])[0]

    def ask_all(self, requests: list[Request]) -> list[Reply]:
        """All together."""

        async def do(dialogue: Dialogue) -> list[Reply]:
            return list(await asyncio.gather(*(dialogue.ask(request, self.ledger) for request in requests)))

        return self._with(do)

    def ask_in_turn(self, requests: list[Request]) -> list[Reply]:
        async def do(dialogue: Dialogue) -> list[Reply]:
            return [await dialogue.ask(request, self.ledger) for request in requests]

        return self._with(do)

    def embed(self, texts: list[str]) -> list[list[float]]:
        return self._with(lambda dialogue: dialogue.embed(texts, self.ledger))

    def check(self) -> list[str]:
        return [self._masked(note) for note in self._with(lambda dialogue: dialogue.check())]

    def error(self, kind: type[UserError], request: Request | None = None) -> str:
        """The text of the error that a request ends with, the server's port masked."""
        with pytest.raises(kind) as caught:
            self.ask(request or wanting())
        return self.checked_text(caught.value)

    def checked_text(self, error: BaseException) -> str:
        """An error's text, which nothing leads back to the key from."""
        assert type(error) in {UserError, *UserError.__subclasses__()}
        assert error.__cause__ is None
        assert error.__context__ is None or error.__suppress_context__
        text = self._masked(str(error))
        assert "\n" not in text
        assert self.key is None or self.key not in text + repr(error)
        return text

    def _masked(self, text: str) -> str:
        return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", text)

    def _with(self, do: Any) -> Any:
        async def whole() -> Any:
            dialogue = Dialogue(
                ModelSettings(**{"model": "stub"} | self.settings),
                self.url if self.url is not None else self.stub.url.removesuffix("/v1") + self.ending,
                self.key,
                "models.helper",
                self.facts,
                lambda line: self.said.append(self._masked(line)),
                sleep=self._sleep,
            )
            try:
                return await do(dialogue)
            finally:
                await dialogue.close()

        with Stub(self.script, self.models) as self.stub:
            return asyncio.run(whole())

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)
