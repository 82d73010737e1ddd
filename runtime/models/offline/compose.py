"""An answer's words, made from the sentences that support it, by the kind of answer asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from designsearch.runtime.models.offline import answer_amount, answer_name, answer_time
from designsearch.runtime.models.offline.nearby import nearby_spans
from designsearch.runtime.models.offline.phrase import best_phrase
from designsearch.runtime.models.offline.question import Asked
from designsearch.runtime.models.offline.question_kinds import AnswerKind
from designsearch.runtime.models.offline.support import Support
from designsearch.runtime.models.offline.words import is_negated, stems_of, words_of

READ = 5
"""How many of the best sentences are read for one answer."""
CLOSE = 0.75
"""A further sentence is read while its score is at least this share of the best one's."""
LONGEST_LIST = 6

Composer = Callable[[Asked, Sequence[Support]], str]

_REASON = re.compile(
    r"\b(?:because(?:\s+of)?|['’]?cause|since|so\s+that|due\s+to|thanks\s+to|in\s+order\s+to)\s+(?P<reason>[^.!?\n]{3,200})",
    re.IGNORECASE,
)
_TITLED = frozenset(
    "album articl book composit film game movi novel paint piec play podcast poem project screenplay script seri show "
    "song".split()
)
"""Stems of things that have a title in quotation marks."""


def compose(asked: Asked, ranked: Sequence[Support]) -> str:
    """The answer in words; empty where the sentences hold nothing of the kind asked for.

    Args:
        asked: the question.
        ranked: all sentences, best first; at least one.
    """
    if asked.kind in ("order", "choice"):
        return _ACROSS[asked.kind](asked, ranked)
    floor = CLOSE * ranked[0].score
    close = [s for s in ranked if s.score >= floor]
    return _CLOSE[asked.kind](asked, close if asked.kind == "times" else close[:READ])


def _what(asked: Asked, close: Sequence[Support]) -> str:
    if _TITLED & set(asked.focus):
        titles = [t.value for t in nearby_spans(close, "title")]
        if titles:
            return titles[0]
    return next((p for p in map(best_phrase, close) if p), "")


def _why(_: Asked, close: Sequence[Support]) -> str:
    reasons = (m["reason"].strip(" .!") for s in close for m in [_REASON.search(s.sentence.text)] if m)
    return next(reasons, close[0].sentence.text)


def _list(asked: Asked, close: Sequence[Support]) -> str:
    """What the sentences list or quote; where none does, the best phrase of each."""
    titles = [s.value for s in nearby_spans(close, "title")] if _TITLED & set(asked.focus) else []
    found = titles or [s.text for s in nearby_spans(close, "item")] or [best_phrase(s) for s in close]
    new = [f for f in found if f and not set(stems_of(words_of(f))) <= {*asked.terms, *asked.names}]
    different = {" ".join(stems_of(words_of(f))): f for f in reversed(new)}
    return ", ".join(reversed(list(different.values())[-LONGEST_LIST:]))


def _boolean(asked: Asked, close: Sequence[Support]) -> str:
    return "No" if is_negated(close[0].words) != asked.negated else "Yes"


def _choice(asked: Asked, ranked: Sequence[Support]) -> str:
    """The alternative whose words the best supported sentences hold."""
    scores = [_best_for(option, ranked)[0] for option in asked.options]
    return asked.options[scores.index(max(scores))]


def _order(asked: Asked, ranked: Sequence[Support]) -> str:
    """Which of two things came first (or last): the one whose sentence tells of an earlier (later) day."""
    days = [answer_time.day_of(_best_for(option, ranked)[1]) for option in asked.options]
    known = [day for day in days if day]
    if len(known) < len(days):
        return ""
    return asked.options[days.index(max(known) if asked.latest else min(known))]


def _best_for(option: str, ranked: Sequence[Support]) -> tuple[float, Support]:
    stems = set(stems_of(words_of(option)))
    shares = [len(stems.intersection(s.stems)) / max(1, len(stems)) + 0.1 * s.score for s in ranked]
    best = max(shares)
    return best, ranked[shares.index(best)]


_CLOSE: dict[AnswerKind, Composer] = {
    "when": answer_time.when, "duration": answer_time.duration, "ago": answer_time.ago, "between": answer_time.between,
    "who": answer_name.who, "where": answer_name.where,
    "count": answer_amount.count, "times": answer_amount.times, "money": answer_amount.money,
    "why": _why, "how": _what, "what": _what, "list": _list, "boolean": _boolean,
}  # fmt: skip
_ACROSS: dict[AnswerKind, Composer] = {"order": _order, "choice": _choice}
