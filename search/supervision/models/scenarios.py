"""Scenarios of questions, after the generators of test sets for corpora (ragas' knowledge graph and synthesizers).

There a graph links texts that share entities or key phrases; a scenario takes a persona, texts that are linked, what
links them, and how the question is worded; one request makes question and answer. Here the bundle's records are the
linked texts, and what links them is found by rules instead of further requests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from designsearch.runtime.lexical_tokens import is_stopword, words
from designsearch.search.supervision.contracts import Material, Source

STYLES = (
    "a complete and correct sentence",
    "casual, as typed in a hurry, with small mistakes",
    "keywords, as typed into a search box, ending in a question mark",
    "with one or two misspelled words",
)
LENGTHS = ("short, at most 8 words", "of 9 to 20 words", "long, of 20 to 35 words")

MULTI_HOP = 0.5
"""Share of scenarios over two records where there is a theme that links two, as in ragas' default distribution."""

SHORTEST = 4
"""Characters of a theme's word, at least."""

_is_function_word = is_stopword("english")


@dataclass(frozen=True, slots=True)
class Scenario:
    """What a question is to be like.

    Attributes:
        asker: who asks: the author of one of the records, or empty.
        theme: the word that the records share, or that the record is about; empty where it has none.
        style, length: how the question is worded.
        sources: the one or two records that it needs.
    """

    asker: str
    theme: str
    style: str
    length: str
    sources: tuple[Source, ...]


def scenario_of(material: Material) -> Scenario:
    """The scenario of a bundle, by the bundle's own chance."""
    chance = np.random.default_rng(material.seed)
    terms = [_terms(source.text) for source in material.sources]
    shared = sorted(word for word, count in Counter(w for own in terms for w in own).items() if count > 1)
    if shared and chance.random() < MULTI_HOP:
        theme = _any(chance, shared)
        holders = [s for s, own in zip(material.sources, terms, strict=True) if theme in own]
        first, second = sorted(chance.choice(len(holders), 2, replace=False).tolist())
        sources: tuple[Source, ...] = (holders[first], holders[second])
    else:
        at = int(chance.integers(len(material.sources)))
        theme, sources = _any(chance, sorted(terms[at])), (material.sources[at],)
    authors = sorted({source.author for source in sources if source.author})
    return Scenario(_any(chance, authors), theme, _any(chance, STYLES), _any(chance, LENGTHS), sources)


def _terms(text: str) -> set[str]:
    return {word for word in words(text) if len(word) >= SHORTEST and word.isalpha() and not _is_function_word(word)}


def _any(chance: np.random.Generator, choices: Sequence[str]) -> str:
    return choices[int(chance.integers(len(choices)))] if choices else ""
