"""How one server wants to be asked, found out once: formats of JSON, tools, and the names of fields."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import Literal, get_args

from designsearch.runtime.models.exchange.refusals import Kind
from designsearch.runtime.models.requests import Request
from designsearch.runtime.models.settings import ModelSettings

Structured = Literal["json_schema", "json_object", "prompt"]
Tooling = Literal["native", "json"]

STRUCTURED: tuple[Structured, ...] = get_args(Structured)
"""How JSON is asked for, the surest first: by a schema that the server holds the model to, as any JSON, in words."""

_IN_WORDS = {"json_object": "asking with json_object and the schema in words", "prompt": "asking for JSON in words"}


@dataclass(frozen=True, slots=True)
class Way:
    """How a call is written.

    Attributes:
        structured: how JSON is asked for.
        tools: whether tools are told to the server, or asked for as JSON.
        limit: the name of the field that holds the longest reply.
        seed: whether a seed is sent.
        temperature: whether a temperature is sent.
        parallel: whether it is said that several tools may be called.
    """

    structured: Structured
    tools: Tooling
    limit: str
    seed: bool
    temperature: bool
    parallel: bool = True


class Formats:
    """What is known about a server; every fact is said once, when it is found out.

    Args:
        settings: what fixes a format instead of finding it out.
        facts: what is known: ``structured``, ``tools``, ``limit``, and ``seed``, ``temperature`` and ``parallel``
            where they are left out (``no``).
        say: gets a line for people.
        url: the server, for that line.
    """

    def __init__(
        self, settings: ModelSettings, facts: MutableMapping[str, str], say: Callable[[str], None], url: str
    ) -> None:
        self._settings = settings
        self._facts = facts
        self._say = say
        self._url = url

    @property
    def way(self) -> Way:
        """The best way that has not been refused."""
        structured = self._settings.structured if self._settings.structured != "auto" else self._known_structured()
        tools = self._settings.tools if self._settings.tools != "auto" else self._facts.get("tools")
        return Way(
            structured=structured or "json_schema",
            tools="json" if tools == "json" else "native",
            limit="max_completion_tokens" if self._facts.get("limit") == "max_completion_tokens" else "max_tokens",
            seed=self._facts.get("seed") != "no",
            temperature=self._facts.get("temperature") != "no",
            parallel=self._facts.get("parallel") != "no",
        )

    def unknown(self, request: Request) -> bool:
        """Whether something is to be found out with this request."""
        return "limit" not in self._facts or bool(
            (self._asks_json(request) and self._settings.structured == "auto" and self._known_structured() is None)
            or (request.tools and self._settings.tools == "auto" and "tools" not in self._facts)
        )

    def confirm(self, request: Request, way: Way, tool_called: bool) -> None:
        """A call written this way was answered, perhaps with the call of a tool."""
        self._facts.setdefault("limit", way.limit)
        if request.tools and way.tools == "native":
            if tool_called and self._settings.tools == "auto":
                self._facts.setdefault("tools", way.tools)
        elif (request.tools or request.schema is not None) and self._settings.structured == "auto":
            self._facts.setdefault("structured", way.structured)

    def settled_tools(self) -> bool:
        """Whether this server is known to take tools, or is to be asked so whatever comes of it."""
        return self._settings.tools == "native" or self._facts.get("tools") == "native"

    def give_up(self, kind: Kind, way: Way) -> bool:
        """Take note that the server refused a part of a call.

        Returns:
            Whether there is another way; False where the settings fix this one, or none is left.
        """
        if self.way != way:  # another call has found out more in the meantime
            return True
        if kind == "format":
            return self._lower_format(way, "takes no")
        if kind == "tools":
            return way.tools == "native" and self.without_tools("refuses tools")
        if kind == "limit" and way.limit == "max_tokens":
            self._learn("limit", "max_completion_tokens", "wants max_completion_tokens: sending that for max_tokens")
            return True
        if (kind == "seed" and way.seed) or (kind == "temperature" and way.temperature):
            self._learn(kind, "no", f"takes no {kind}: leaving it out")
            return True
        if kind == "parallel" and way.parallel:
            self._learn(kind, "no", "takes no parallel_tool_calls: leaving it out")
            return True
        return False

    def without_tools(self, finding: str) -> bool:
        """Take note that tools are better asked for as JSON; whether the settings let us."""
        if self._settings.tools == "native":
            return False
        if self._facts.get("tools") != "json":
            self._learn("tools", "json", f"{finding}: asking for tool calls as JSON")
        return True

    def without_schema(self, way: Way) -> None:
        """Take note that prose came where a schema had been sent: a server that holds to it cannot let that happen."""
        if way.structured == "json_schema" and self.way == way:
            self._lower_format(way, "ignores")

    def _lower_format(self, way: Way, finding: str) -> bool:
        if self._settings.structured != "auto" or way.structured == "prompt":
            return False
        lower = STRUCTURED[STRUCTURED.index(way.structured) + 1]
        self._learn("structured", lower, f"{finding} response_format {way.structured}: {_IN_WORDS[lower]}")
        return True

    def _learn(self, name: str, value: str, finding: str) -> None:
        self._facts[name] = value
        self._say(f"{self._url} {finding}")

    def _known_structured(self) -> Structured | None:
        return next((known for known in STRUCTURED if known == self._facts.get("structured")), None)

    def _asks_json(self, request: Request) -> bool:
        return request.schema is not None or (bool(request.tools) and self.way.tools == "json")
