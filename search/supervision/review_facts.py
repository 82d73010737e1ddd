"""Whether a fact's sources say it: its names, numbers, dates, most of its other words, and nothing to the contrary."""

from __future__ import annotations

import re

import numpy as np

from designsearch.runtime.models.offline.names import names_in
from designsearch.runtime.models.offline.words import STOP, is_negated, words_of
from designsearch.search.supervision.contracts import Material, Source
from designsearch.search.supervision.coverage import Shown
from designsearch.search.supervision.plans import Fact
from designsearch.search.supervision.read_sources import LONGEST_TEXT, read_source
from designsearch.search.supervision.soft_terms import Terms, terms_of
from designsearch.search.supervision.soft_words import SoftWords
from designsearch.search.supervision.source_days import day_of
from designsearch.search.supervision.value_in_text import Passage, dates_of, numbers_of, same_number, stands_in

SHARE = 0.6
"""Of the weight of a statement's other words that its sources have to say."""
LEAST_WORD = 0.1
"""A word that is this far from all of the source's is new."""
MOST_NEW = 0.2
"""Share of a statement's words that may be new; one word that was changed shows only in a short statement."""

_REPORT = re.compile(
    r"\b(?:spoke|speaks?|mention(?:s|ed)?|talk(?:s|ed)?|ask(?:s|ed)?|discuss(?:es|ed)?)\b", re.IGNORECASE
)
_CLOCK = re.compile(r"(?<=\d{4}-\d\d-\d\d)[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?")
_SPEAKERS = frozenset("user speaker author writer person narrator assistant they them someone keeper owner".split())
"""Words by which a statement calls the one who says ``I``."""


def supported(fact: Fact, material: Material, soft: SoftWords) -> str:
    """Why the sources of a fact do not say its statement; empty where they do."""
    ids = {citation.record for citation in fact.citations}
    sources = [source for source in material.sources if source.record in ids]
    if not sources or not fact.statement.strip():
        return "nothing is cited or stated"
    statement = _CLOCK.sub("", fact.statement)
    quotes: list[Passage] = [(c.quote, _time(c.record, sources)) for c in fact.citations]
    passages: list[Passage] = [*((s.text, s.time) for s in sources)]
    wrong = _figures(statement, passages, sources) or _names(statement, sources, soft)
    if wrong:
        return f"{wrong} does not stand in its source"
    if fact.value is not None and not stands_in(fact.value, [*quotes, *_booleans(fact)]):
        return "its value does not stand in its quotes"
    share = _share(statement, sources, soft)
    if share < SHARE:
        return f"only {share:.0%} of its words stand in its source"
    return (
        "" if _same_polarity(statement, [quote for quote, _ in quotes]) else "it denies its source, or that denies it"
    )


def _same_polarity(statement: str, quotes: list[str]) -> bool:
    """Whether a statement and its quotes both deny or both affirm; that something was spoken of does neither."""
    denied = [is_negated(words_of(quote)) for quote in quotes]
    if is_negated(words_of(statement)):
        return any(denied)
    return not all(denied) or bool(_REPORT.search(statement))


def _booleans(fact: Fact) -> list[Passage]:
    """A yes or no is taken as said."""
    return [(str(fact.value), None)] if str(fact.value).lower() in ("yes", "no", "true", "false") else []


def _time(record: str, sources: list[Source]) -> str:
    return next((source.time for source in sources if source.record == record), "")


def _figures(statement: str, passages: list[Passage], sources: list[Source]) -> str:
    """A number or a date of the statement that no source says."""
    base = next((day for source in sources if (day := day_of(source))), None)
    for said in dates_of(statement, base):
        if said.year is not None and not stands_in(said.canonical(), passages):
            return said.canonical()
    held = [number for text, _ in passages for number in numbers_of(text, base)]
    for number in numbers_of(statement, base):
        if not any(same_number(number, one) for one in held) and not stands_in(number.value, passages):
            return number.value
    return ""


def _names(statement: str, sources: list[Source], soft: SoftWords) -> str:
    """A word of a name in the statement that stands in no source and names no author.

    The statement's first word is in capitals anyway: it counts as a name where nothing in the sources is like it.
    """
    held = list(dict.fromkeys(w for s in sources for w in words_of(f"{s.text[:LONGEST_TEXT]} {s.author} {s.role}")))
    said = [word for start, end in names_in(statement) for word in words_of(statement[start:end])]
    for word in said:
        if word not in held and word not in _SPEAKERS:
            return word
    first = next(iter(words_of(statement)), "")
    if not first or first in held or first in _SPEAKERS or first in STOP or not statement.lstrip()[:1].isupper():
        return ""
    near = soft.similarity(soft.numbers([first]), soft.numbers(held)) if held else None
    return first if near is None or near.max() < LEAST_WORD else ""


def _share(statement: str, sources: list[Source], soft: SoftWords) -> float:
    """The share of the weight of the statement's words that its sources say."""
    terms = _without_speakers(terms_of(statement, soft, None))
    if not len(terms):
        return 1.0
    near = Shown([read_source(source) for source in sources], soft).match(terms).near
    if not near.shape[1]:
        return 0.0
    best = near.max(axis=1)
    new = float((best < LEAST_WORD).mean())
    return 0.0 if new > MOST_NEW else float((terms.weights @ best) / max(float(terms.weights.sum()), 1e-6))


def _without_speakers(terms: Terms) -> Terms:
    keep = np.array([word not in _SPEAKERS for word in terms.words], bool)
    words = tuple(word for word in terms.words if word not in _SPEAKERS)
    return Terms(
        words,
        terms.numbers[keep],
        terms.weights[keep],
        terms.names[keep],
        terms.titled[keep],
        terms.spoken,
        terms.speaker,
        terms.periods,
    )
