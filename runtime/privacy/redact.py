"""Personal data in a history replaced by placeholders, the same one for the same value wherever it stands.

A placeholder is a kind and a number in order of appearance, ``[email 1]``: nothing of the value is in it, so nothing
can be computed back, yet who wrote to whom stays visible. Which value a number stands for is forgotten with the
:class:`Redactor`; no file of it is ever written, as that file would be worth more to a thief than the history. Whoever
needs the values has the source.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from designsearch.dsl.problems import UserError, nearest
from designsearch.runtime.privacy.addresses import emails, ip_addresses
from designsearch.runtime.privacy.found import Found
from designsearch.runtime.privacy.keys import NAMES, secrets
from designsearch.runtime.privacy.numbers import cards, ibans, ssns
from designsearch.runtime.privacy.phones import phones
from designsearch.runtime.records import Evidence, Question, Record

KINDS: Mapping[str, Callable[[str], Iterator[Found]]] = {
    "secret": secrets,
    "email": emails,
    "iban": ibans,
    "card": cards,
    "ssn": ssns,
    "ip": ip_addresses,
    "phone": phones,
}
"""What is found, by name; where two claim the same characters the first one has them."""

_PLACEHOLDER = re.compile(rf"\[({'|'.join(KINDS)}) (\d{{1,9}})\]")
_SECRET_KEY = re.compile(rf"(?:.*[_-])?(?:{NAMES})", re.IGNORECASE)
_PHONE_KEY = re.compile(
    r"(?:.*[_-])?(?:phone|mobile|cell|fax|tel|telephone|whatsapp)(?:[_-]?(?:number|no))?", re.IGNORECASE
)
_PHONE_VALUE = re.compile(r"\+?[\d ().\-/]{7,20}")
_TEXTS = ("text", "author", "role", "session", "source", "section")


def kinds_of(written: str) -> tuple[str, ...]:
    """The kinds that an option names, between commas; all of them where it names none.

    Raises:
        UserError: there is no such kind.
    """
    names = [name.strip().casefold() for name in written.split(",") if name.strip()]
    for name in names:
        if name not in KINDS:
            hint = nearest(name, KINDS)
            raise UserError(
                f"--redact: there is no kind {name!r}"
                + (f" ({hint})" if hint else "")
                + f"; the kinds are {', '.join(KINDS)}"
            )
    return tuple(kind for kind in KINDS if kind in names) or tuple(KINDS)


class Redactor:
    """Replaces personal data, event by event, in everything that holds text; times stay.

    Ids, ``reply_to`` and ``refs`` are changed in the same way, so that they still fit together.

    Args:
        kinds: which of :data:`KINDS`.

    Attributes:
        counts: replaced so far, by kind.
    """

    def __init__(self, kinds: Sequence[str] = tuple(KINDS)) -> None:
        self.kinds = tuple(kinds)
        self.counts: Counter[str] = Counter()
        self._numbers: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
        self._next: Counter[str] = Counter()
        self._written: set[tuple[str, int]] = set()
        self._ids: dict[str, str] = {}
        self._taken: set[str] = set()

    def __call__(self, record: Record) -> Record:
        """The record without personal data."""
        texts: dict[str, Any] = {name: self.text(getattr(record, name)) for name in _TEXTS}
        return replace(
            record,
            id=self.id(record.id),
            reply_to=self.id(record.reply_to),
            refs=tuple(map(self.id, record.refs)),
            meta=self.value(record.meta),
            **texts,
        )

    def question(self, question: Question) -> Question:
        """The question without personal data."""
        return replace(
            question,
            question=self.text(question.question),
            answer=self.value(question.answer),
            alternatives=tuple(map(self.text, question.alternatives)),
            evidence=tuple(
                Evidence(self.id(one.record), one.quote and self.text(one.quote)) for one in question.evidence
            ),
            meta=self.value(question.meta),
        )

    def id(self, name: str) -> str:
        """An id without personal data; two ids stay two."""
        if name not in self._ids:
            made = unique = self.text(name)
            number = 1
            while unique in self._taken:
                number += 1
                unique = f"{made} ({number})"
            self._taken.add(unique)
            self._ids[name] = unique
        return self._ids[name]

    def value(self, value: Any, key: str = "") -> Any:
        """Plain JSON without personal data; a key such as ``password`` or ``phone`` says what stands behind it."""
        if isinstance(value, dict):
            return {self.text(str(name)): self.value(item, str(name)) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(item, key) for item in value]
        if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
            return value
        text = str(value)
        if "secret" in self.kinds and _SECRET_KEY.fullmatch(key) and not _PLACEHOLDER.fullmatch(text):
            return self._placeholder("secret", text)
        if "phone" in self.kinds and _PHONE_KEY.fullmatch(key) and _PHONE_VALUE.fullmatch(text):
            return self._placeholder("phone", re.sub(r"[^\d+]", "", text))
        cleaned = self.text(text)
        return value if cleaned == text else cleaned

    def text(self, text: str) -> str:
        """A text without personal data."""
        if not text:
            return text
        if "[" in text:  # placeholders of an earlier pass keep their meaning
            self._written.update((found[1], int(found[2])) for found in _PLACEHOLDER.finditer(text))
        parts, at = [], 0
        for start, end, kind, value in self._findings(text):
            parts += [text[at:start], self._placeholder(kind, value)]
            at = end
        return "".join([*parts, text[at:]]) if parts else text

    def _findings(self, text: str) -> list[tuple[int, int, str, str]]:
        """What is found, in order and without overlaps."""
        taken: list[tuple[int, int, str, str]] = []
        for kind in self.kinds:
            for found in KINDS[kind](text):
                i = bisect_left(taken, (found.start,))
                is_free = (i == 0 or taken[i - 1][1] <= found.start) and (i == len(taken) or found.end <= taken[i][0])
                if is_free:
                    taken.insert(i, (found.start, found.end, kind, found.value))
        return taken

    def _placeholder(self, kind: str, value: str) -> str:
        numbers = self._numbers[kind]
        if value not in numbers:
            self._next[kind] += 1
            while (kind, self._next[kind]) in self._written:
                self._next[kind] += 1
            numbers[value] = self._next[kind]
        self.counts[kind] += 1
        return f"[{kind} {numbers[value]}]"

    def report(self) -> dict[str, dict[str, int]]:
        """By kind, how many were replaced and how many distinct values they were; never a value."""
        return {kind: {"replaced": self.counts[kind], "distinct": len(self._numbers[kind])} for kind in self.kinds}

    def line(self) -> str:
        """The report for people, on one line."""
        found = [
            f"{self.counts[kind]} {kind} ({len(self._numbers[kind])} distinct)"
            for kind in self.kinds
            if self.counts[kind]
        ]
        return "replaced by placeholders: " + (", ".join(found) or "nothing was found")


def redact(record: Record) -> Record:
    """One record on its own without personal data; over a whole history, use one :class:`Redactor`."""
    return Redactor()(record)
