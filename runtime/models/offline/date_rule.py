"""What a rule for reading dates is: a pattern, and how its match resolves against the day on which it was said."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from designsearch.runtime.models.offline import calendar_words as cal

_FUTURE = re.compile(
    r"\b(?:will|won't|shall|going\s+to|gonna|plan(?:s|ned|ning)?|upcoming|hop(?:e|ing)|soon|forward\s+to"
    r"|schedul\w+|book(?:ed|ing)|tomorrow|next|coming|expect\w*|about\s+to|can't\s+wait)\b|['’]ll\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?。！？\n]")


@dataclass(frozen=True, slots=True)
class Said:
    """One match of a rule, and the day it was said on (``None`` where unknown)."""

    match: re.Match[str]
    base: date | None

    def get(self, group: str) -> str:
        """The text of a named group; empty where it took no part."""
        return self.match.groupdict().get(group) or ""

    def future(self) -> bool:
        """Whether the sentence around the match speaks of what is to come."""
        text, start, end = self.match.string, self.match.start(), self.match.end()
        ends = [m.end() for m in _SENTENCE_END.finditer(text, max(0, start - 300), start)]
        stop = _SENTENCE_END.search(text, end, end + 300)
        return bool(
            _FUTURE.search(text, ends[-1] if ends else max(0, start - 300), stop.start() if stop else end + 300)
        )


Resolver = Callable[[Said], "cal.Period | None"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and what a match of it means (``None``: nothing)."""

    pattern: re.Pattern[str]
    resolve: Resolver


def rule_in(rules: list[Rule], pattern: str) -> Callable[[Resolver], Resolver]:
    """Add the decorated resolver to a list of rules, with its pattern (case does not matter)."""

    def keep(resolve: Resolver) -> Resolver:
        rules.append(Rule(re.compile(pattern, re.IGNORECASE), resolve))
        return resolve

    return keep
