"""A question as the reader by rules takes it: what it looks for, and the parts that it compares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from designsearch.runtime.models.offline.question import Asked, read_question
from designsearch.runtime.models.offline.question_kinds import options_of
from designsearch.runtime.models.offline.words import plain
from designsearch.runtime.records import AnswerType
from designsearch.search.supervision.reading.soft_terms import Terms, terms_of
from designsearch.search.supervision.reading.soft_words import SoftWords

LONGEST = 600
"""Characters of a question that are read."""
MOST_SPLITS = 4

_BETWEEN = re.compile(r"\bbetween\s+(?P<both>.+?)\s*\?*\s*$", re.IGNORECASE | re.DOTALL)
_APART = re.compile(
    r"\b(?:passed|elapsed|went\s+by|lie|lay|were\s+there|long|later|apart)?\s*\b(?:from|after|since|before)\s+(?P<a>.+?)"
    r"(?:,\s+|\s+)(?:until|till|to|did|was|were|had|and)\s+(?P<b>.+?)\s*\?*\s*$",
    re.IGNORECASE | re.DOTALL,
)
_ANOTHER = re.compile(r"(?:the\s+(?:day|time|date|moment)|when)\b", re.IGNORECASE)
_SETTING = re.compile(
    r"(?:^|[,;]\s*)(?:shortly\s+|right\s+|just\s+|soon\s+)?(?P<when>after|before|while|when)\s+(?P<what>(?:last\s+)?"
    r"(?:speaking|talking|hearing|telling|writing|having)\b.+?),\s+(?P<asks>(?:(?:on|in|at|to|for|from|with|by|of)\s+)?"
    r"(?:who|whom|whose|what|which|where|when|how)\b.+)$",
    re.IGNORECASE | re.DOTALL,
)
_TOGETHER = re.compile(r",?\s+(?:also\s+(?:spoken\s+of|mentioned)\s+)?(?:together|along)\s+with\s+", re.IGNORECASE)
_NAMES = re.compile(r"\b(?:which|what)\s+(?:name|title|place)\b|\bwhom\b|\bwhat\s+time\b", re.IGNORECASE)
_DAYS_APART = re.compile(r"\bhow\s+(?:many\s+(?:days|weeks)|long)\s+(?:after|before|from|passed)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"\s(?:that|which|whom?)\s.*", re.IGNORECASE | re.DOTALL)
_AND = re.compile(r",?\s+and\s+", re.IGNORECASE)
_OFFER = re.compile(r"(?::|^[^:]*?[,—–])\s*(?P<offer>[^:?]{3,400}?\bor\b[^:?]{1,200})\s*\?*\s*$", re.IGNORECASE)
_ORDER_OFFER = re.compile(r":\s*(?P<offer>[^?]{3,500}?)\s*\?*\s*$")
_JOINT = re.compile(r"\s*;\s*(?:(?:or|and)\s+)?|\s*,\s*(?:(?:or|and)\s+)?|\s+(?:or|and)\s+", re.IGNORECASE)
_COMMA_OR = re.compile(r"\s*[,;]\s*or\s+", re.IGNORECASE)
_OR = re.compile(r"\s*[,;]\s*(?:or\s+)?|\s+or\s+", re.IGNORECASE)
_TOTAL = re.compile(r"\b(?:in\s+total|altogether|combined|in\s+all|overall|total|sum)\b", re.IGNORECASE)
_COMMON = re.compile(r"\b(?:both|in\s+common|shared?|each\s+of|on\s+either|all\s+of)\b", re.IGNORECASE)
_LAST = re.compile(
    r"\b(?:last|later|latest|most\s+recent(?:ly)?|newest|currently|current|now|these\s+days)\b", re.IGNORECASE
)
_FIRST = re.compile(r"\b(?:first|earlier|earliest|sooner|originally|initially|at\s+first)\b", re.IGNORECASE)
_LEAST = re.compile(
    r"\b(?:least|less|fewer|fewest|cheaper|cheapest|shorter|shortest|smaller|smallest|lower|lowest)\b", re.IGNORECASE
)
_MOST = re.compile(
    r"\b(?:most|more|higher|highest|longer|longest|larger|largest|bigger|biggest|greater|greatest|dearer|pricier)\b",
    re.IGNORECASE,
)
_OCCASIONS = re.compile(
    r"\bhow\s+many\s+(?:\w+\s+){0,2}(?:times|occasions|days|records|messages|entries)\b|\bhow\s+often\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Question:
    """A question, read.

    Attributes:
        text: its words.
        wanted: the type of the answer.
        base: the day from which its relative dates count.
        asked: how the offline answerer reads it.
        terms: what it looks for.
    """

    text: str
    wanted: AnswerType
    base: date | None
    asked: Asked
    terms: Terms

    @property
    def total(self) -> bool:
        """Whether it asks for a sum."""
        return bool(_TOTAL.search(self.text))

    @property
    def common(self) -> bool:
        """Whether it asks for what several have in common."""
        return bool(_COMMON.search(self.text))

    @property
    def occasions(self) -> bool:
        """Whether it asks how often something happened."""
        return bool(_OCCASIONS.search(self.text))

    @property
    def latest(self) -> bool:
        """Whether it asks for the last."""
        return bool(_LAST.search(self.text))

    @property
    def earliest(self) -> bool:
        """Whether it asks for the first."""
        return bool(_FIRST.search(self.text))

    @property
    def by_amount(self) -> str:
        """``most`` or ``least`` where things are compared by an amount, else empty."""
        return "least" if _LEAST.search(self.text) else "most" if _MOST.search(self.text) else ""

    @property
    def names_something(self) -> bool:
        """Whether it asks for a name or a title as such."""
        return bool(_NAMES.search(self.text))

    @property
    def together(self) -> tuple[str, ...]:
        """The halves of a question about two things ``together``; none where it is about one."""
        halves = _TOGETHER.split(self.text)
        return tuple(halves) if len(halves) == 2 else ()

    @property
    def apart(self) -> bool:
        """Whether it surely asks for the distance of two things."""
        return bool(_BETWEEN.search(self.text) or _DAYS_APART.search(self.text))

    @property
    def offered(self) -> tuple[str, ...]:
        """The things that it offers, at least two, in its own words; none where it offers none."""
        found = _OFFER.search(self.text)
        listed = None if found else _ORDER_OFFER.search(self.text)
        parts: list[str] = []
        if found:
            halves = _COMMA_OR.split(found["offer"])
            compound = len(halves) == 2 and any(_AND.search(half) for half in halves)
            parts = halves if compound else _OR.split(found["offer"])
        elif listed and self.wanted == "list":
            parts = _JOINT.split(listed["offer"])
        named = tuple(part.strip(' .!"“”') for part in parts if part.strip(' .!"“”'))
        return named if len(named) > 1 else options_of(self.text)

    @property
    def setting(self) -> tuple[str, str] | None:
        """What it says was spoken of before or after, and what it then asks; ``None`` where it says no such thing."""
        found = _SETTING.search(self.text)
        if not found or (found["when"].lower() == "when" and "last" in found["what"].lower()):
            return None
        lead = self.text[: found.start()].strip(" ,;")
        asks = f"{lead}, {found['asks']}" if lead else found["asks"]
        return found["what"], asks

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Ways to read it as being about the distance of two things."""
        between = _BETWEEN.search(self.text)
        if between:
            both = between["both"]
            joints = sorted(_AND.finditer(both), key=lambda m: not _ANOTHER.match(both, m.end()))
            for joint in joints[:MOST_SPLITS]:
                second = both[joint.end() :]
                clause = None if _ANOTHER.match(second) else _CLAUSE.search(second)  # says something of both
                yield both[: joint.start()] + (clause[0] if clause else ""), second
            return
        apart = _APART.search(self.text)
        if apart:
            yield apart["a"], apart["b"]


def read(text: str, wanted: AnswerType, base: date | None, soft: SoftWords) -> Question:
    """Read a question.

    Args:
        text: its words.
        wanted: the type of answer asked for.
        base: the day of asking; ``None`` where unknown.
        soft: knows the words.
    """
    words = plain(" ".join(text[:LONGEST].split()))
    asked = read_question(words, base)
    return Question(words, wanted, base, asked, terms_of(words, soft, base, asked))
