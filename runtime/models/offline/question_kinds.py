"""The kinds of answer a question can ask for, and the words by which each is recognised."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

AnswerKind = Literal[
    "when", "who", "where", "why", "how", "what", "list", "times", "count", "money", "duration", "ago", "between",
    "boolean", "choice", "order",
]  # fmt: skip
Grain = Literal["any", "day", "month", "year", "time"]

_POLITE = re.compile(
    r"^\W*(?:(?:please|so|and|hey|hi|ok|okay)\W+)*(?:(?:can|could|would|will)\s+you\s+(?:please\s+)?(?:remind|tell|show)\s+me"
    r"|(?:please\s+)?(?:remind|tell|show)\s+me|do\s+you\s+(?:remember|recall|know)|i\s+(?:want|need)\s+to\s+know)\s+(?:again\s+)?",
    re.IGNORECASE,
)
_BE = r"(?:did|does|do|is|are|was|were|will|would|has|have|had|can|could|should|might|may)"
_PREPOSITION = r"(?:(?:on|in|at|to|for|from|with|by|of|across|during|after|under|about|around|since|until)\s+)?"
_ASKING = rf"(?:who|whom|whose|what|which|where|why|how|when(?=['’]s\b|\s+{_BE}\b))"
_CLAUSE = re.compile(
    rf"(?:^\W*|[,;:—–]\s*(?:and\s+|but\s+|so\s+)?){_PREPOSITION}(?P<asked>{_ASKING}\b.*)", re.IGNORECASE | re.DOTALL
)
_ANYWHERE = re.compile(rf"\b(?P<asked>{_ASKING}\b.*)", re.IGNORECASE | re.DOTALL)
_YES_NO = re.compile(rf"^(?:\W*|[^?]*,\s*)(?:{_BE}|am)(?:n['’]t)?\b", re.IGNORECASE)
_OPENS_YES_NO = re.compile(rf"^\W*(?:{_BE}|am)(?:n['’]t)?\b", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:first|earlier|earliest|last|later|latest|sooner)\b", re.IGNORECASE)
_OPTIONS = re.compile(r"(?P<a>[^,:;?]{2,80}?),?\s+or\s+(?P<b>[^,:;?]{2,80})\??\s*$", re.IGNORECASE)
_LISTED_OPTIONS = re.compile(r"[,:]\s*(?!whether\b)[^,:;?]{2,40}\s+or\s+[^,:;?]{2,40}\??\s*$", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:a|an|the|going\s+to|in|at|on|to)\s+", re.IGNORECASE)

_WHICH = r"(?:what|which)\s+(?:\w+\s+)?"
_PEOPLE = (
    "person|people|individuals?|colleagues?|friends?|teammates?|collaborators?|relatives?|doctors?|advisors?|mentors?"
)
_PLACES = (
    "city|cities|country|countries|states?|places?|locations?|towns?|venues?|markets?|stores?|shops?|cafés?|cafes?"
    "|restaurants?|parks?"
)
_PLURAL = (
    r"(?:what|which)\s+(?:(?:are|were)\s+(?:some|the|\w+['’]s)\s+)?(?:(?!is\b|was\b|does\b|did\b)\w+\s+){0,2}"
    r"(?!is|was|does|has)[a-z]{3,}(?<!s)s\b(?!['’])"
)


class _Sign(NamedTuple):
    kind: AnswerKind
    grain: Grain
    pattern: re.Pattern[str]


def _sign(kind: AnswerKind, pattern: str, grain: Grain = "day") -> _Sign:
    return _Sign(kind, grain, re.compile(pattern, re.IGNORECASE))


_SIGNS = (
    _sign("ago", r"how\s+long\s+ago\b|how\s+many\s+\w+\s+ago\b"),
    _sign(
        "between",
        r"how\s+(?:long|many\s+(?:days|weeks|months|years))\b.*\bbetween\b.*\band\b|how\s+many\s+\w+\s+passed",
    ),
    _sign("times", r"how\s+many\s+(?:\w+\s+){0,2}(?:times|occasions)\b|how\s+often\b"),
    _sign(
        "duration", r"how\s+long\b|how\s+many\s+(?:years|months|weeks|days|hours|minutes|seconds|nights)\b|how\s+old\b"
    ),
    _sign(
        "money", r"how\s+much\b|what(?:['’]s|\s+(?:is|was))\s+the\s+(?:\w+\s+)?(?:price|cost|fee|rent|salary|budget)\b"
    ),
    _sign("count", r"how\s+many\b"),
    _sign("when", r"(?:what|which)\s+month\b", "month"),
    _sign("when", r"(?:what|which)\s+year\b", "year"),
    _sign("when", r"(?:what|which)\s+time(?!\s+management)\b|what\s+hour\b", "time"),
    _sign("when", rf"when\b|{_WHICH}(?:week|weekend)\b", "any"),
    _sign("when", rf"{_WHICH}(?:dates?|day)\b|what\s+(?:is|was)\s+the\s+date\b"),
    _sign("who", rf"who\b|whom\b|whose\b|{_WHICH}(?:{_PEOPLE})\b|what\s+(?:is|are|was|were)\b.*\bnames?\b"),
    _sign("where", rf"where\b|{_WHICH}(?:{_PLACES})\b"),
    _sign("why", r"why\b|what\s+(?:is|was|were)\s+the\s+reasons?\b|what\s+made\b"),
    _sign("how", r"how\b"),
    _sign("list", _PLURAL),
)


def without_courtesy(question: str) -> str:
    """The question without ``Can you remind me`` and its like."""
    return _POLITE.sub("", question)


def asking_clause(text: str) -> str:
    """The part of a question that begins with its question word; the whole text where there is none."""
    match = _CLAUSE.search(text) or (None if _OPENS_YES_NO.match(text) else _ANYWHERE.search(text))
    return match["asked"] if match else text


def options_of(text: str) -> tuple[str, ...]:
    """The two alternatives of a question that ends in ``A or B``; none otherwise."""
    match = _OPTIONS.search(text.strip())
    if not match:
        return ()
    words, second = match["a"].split(), _ARTICLE.sub("", match["b"].strip(" ?.!"))
    openers = [i for i, w in enumerate(words) if w.lower() in ("a", "an", "the", "to", "in", "at")]
    size = len(second.split())
    # the first alternative begins after its own article, else it is taken to be as long as the second
    begins = openers[-1] + 1 if openers and len(words) - openers[-1] <= size + 3 else len(words) - max(1, size)
    options = (" ".join(words[max(0, begins) :]), second)
    return options if all(options) else ()


def kind_of(text: str, clause: str, options: tuple[str, ...]) -> tuple[AnswerKind, Grain]:
    """The kind of answer that a question wants, and how exact a date it wants."""
    if options and _FIRST.search(text):
        return "order", "day"
    if clause == text and _YES_NO.match(text):
        return ("choice" if options and "yes or no" not in text.lower() else "boolean"), "day"
    sign = next((s for s in _SIGNS if s.pattern.match(clause)), None)
    if sign is None or sign.kind in ("list", "who", "where"):
        kind = sign.kind if sign else "what"
        return ("choice" if options and _LISTED_OPTIONS.search(text) else kind), "day"
    return sign.kind, sign.grain
