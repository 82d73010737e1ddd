"""What else to search for on behalf of a question, found without a model: its names, its dates, what is not covered."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from designsearch.runtime.function_words import ENGLISH
from designsearch.runtime.lexical_tokens import stem_all, words
from designsearch.runtime.models.offline.dates import resolve_dates
from designsearch.runtime.models.offline.names import names_in
from designsearch.runtime.policies.telling import STEM
from designsearch.runtime.records import NO_TIME, Query


def names(question: str) -> Iterator[Query]:
    """Each name in the question."""
    for start, end in names_in(question):
        yield Query("keywords", question[start:end])


def dates(question: str, as_of: int) -> Iterator[Query]:
    """Each date in the question, said in full; relative ones are resolved where the time of asking is known."""
    for span in resolve_dates(question, None if as_of == NO_TIME else as_of):
        yield Query("keywords", span.words)


def without(question: str, covered: Collection[str]) -> Query | None:
    """The content words of the question whose stems are not covered; ``None`` where none is left."""
    content = list(dict.fromkeys(word for word in words(question) if word not in ENGLISH))
    left = [word for word, stem in zip(content, stem_all(content, STEM), strict=True) if stem not in covered]
    return Query("keywords", " ".join(left)) if left else None


def terms_of(query: Query) -> frozenset[str]:
    """What a query searches for, whatever its order and its kind: two of the same find about the same."""
    if query.terms:
        return frozenset(term for term, _ in query.terms)
    found = words(query.text)
    return frozenset(stem_all([word for word in found if word not in ENGLISH] or found, STEM))
