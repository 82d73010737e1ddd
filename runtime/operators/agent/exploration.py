"""What an agent has seen, read and named on behalf of one question."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from designsearch.prompts.load import prompt
from designsearch.prompts.quoting import disarmed
from designsearch.runtime.asking import day_of
from designsearch.runtime.models.prompted import messages_of, object_of
from designsearch.runtime.models.requests import Message, Reply, Request, Tool
from designsearch.runtime.operators.agent.library import Library

PROMPT = "memory/agent"

FALLBACK = 100
"""Records that a search for the question gives where the model failed."""

_ANSWER = Tool(
    "answer",
    "End: give the numbers of all memories that are needed to answer the question, the most important first.",
    object_of(records={"type": "array", "items": {"type": "integer"}}),
)

TOOLS = (
    Tool(
        "search",
        "Find memories that share words with the query.",
        object_of(query={"type": "string"}),
    ),
    Tool(
        "read",
        "Read a memory whole, with those just before and after it in its conversation or document.",
        object_of(record={"type": "integer"}),
    ),
    _ANSWER,
)
"""What the model may call; the last one ends."""

Turn = Literal["start", "search", "read", "unknown"]


class Exploration:
    """One question's conversation with the model.

    Records are numbered from 1 in the order in which they were first shown; a number that none has is told to the
    model when it reads, and ignored when it answers.

    Args:
        question: the question.
        as_of: local wall-clock seconds of asking, ``NO_TIME`` where unknown.
        library: the records.
        steps: calls of the model in all.
        k: records that a search shows.
        read: tokens that reading shows.

    Attributes:
        done: whether the model answered or failed.
    """

    def __init__(self, question: str, as_of: int, library: Library, steps: int, k: int, read: int) -> None:
        self._question, self._as_of = question, day_of(as_of)
        self._library, self._k, self._read = library, k, read
        self._rows: list[int] = []
        self._numbers: dict[int, int] = {}
        self._named: list[int] = []
        self._opened: list[int] = []
        self._found: list[int] = library.search(question, k)
        self._rest: list[int] = []
        self.done = False
        hits = list(zip(self._found, library.snippets(self._found), strict=True))
        self._messages = self._rendered("start", hits, steps)

    def request(self, left: int) -> Request:
        """The next request, with so many calls left; in the last one the model can only answer."""
        return Request(prompt(PROMPT).identity, tuple(self._messages), tools=TOOLS if left > 1 else (_ANSWER,))

    def take(self, reply: Reply, left: int) -> None:
        """Do what the model asked for; so many calls are left."""
        if not reply.ok:
            self.done = True
            self._rest = self._library.search(self._question, FALLBACK)
            return
        tool, arguments = reply.value["tool"], reply.value["arguments"]
        if tool == "answer":
            self.done = True
            self._named = [self._rows[n - 1] for n in arguments["records"] if self._knows(n)]
            return
        call = json.dumps({"tool": tool, "arguments": arguments}, ensure_ascii=False)
        self._messages.append(Message("assistant", disarmed(call)))
        turn, shown = self._search(arguments) if tool == "search" else self._open(arguments)
        self._messages += self._rendered(turn, shown, left)[1:]

    def ranked(self) -> list[int]:
        """Rows of the records, those that matter most first: named, read, found last, the others seen."""
        return list(dict.fromkeys([*self._named, *self._opened, *self._found, *self._rows, *self._rest]))

    def _search(self, arguments: dict[str, Any]) -> tuple[Turn, list[tuple[int, str]]]:
        rows = self._library.search(arguments["query"], self._k)
        self._found = rows or self._found
        return "search", list(zip(rows, self._library.snippets(rows), strict=True))

    def _open(self, arguments: dict[str, Any]) -> tuple[Turn, list[tuple[int, str]]]:
        number = arguments["record"]
        if not self._knows(number):
            return "unknown", []
        self._opened.append(self._rows[number - 1])
        return "read", list(self._library.pages(self._opened[-1], self._read).items())

    def _knows(self, number: int) -> bool:
        return 1 <= number <= len(self._rows)

    def _number(self, rows: Iterable[int]) -> None:
        for row in rows:
            if row not in self._numbers:
                self._rows.append(row)
                self._numbers[row] = len(self._rows)

    def _rendered(self, turn: Turn, shown: Sequence[tuple[int, str]], left: int) -> list[Message]:
        """The system's message and the user's for this turn."""
        self._number(row for row, _ in shown)
        records = [{"number": self._numbers[row], "text": text} for row, text in shown]
        return list(
            messages_of(PROMPT, question=self._question, as_of=self._as_of, records=records, turn=turn, left=left)
        )
