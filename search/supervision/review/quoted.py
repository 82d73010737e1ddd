"""What a fact quotes, each quote in the whole sentences that it stands in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from designsearch.runtime.models.offline.sentences import LONGEST_SENTENCE
from designsearch.runtime.models.offline.words import words_of
from designsearch.search.supervision.contracts import Material, Source
from designsearch.search.supervision.plans import Citation, Fact
from designsearch.search.supervision.reading.sources import LONGEST_TEXT

SPEAKERS = frozenset("user speaker author writer person narrator assistant they them someone keeper owner".split())
"""Words by which a statement calls the one who says ``I``."""

_END = re.compile(r"[.!?…][\"”’)]*\s+|[。！？؟]|\n+")


@dataclass(frozen=True)
class Quoted:
    """The sources of a fact, and what it quotes of them.

    Attributes:
        sources: the records that are cited.
        sentences: the quotes, widened to whole sentences, each with the time of its record.
    """

    sources: tuple[Source, ...]
    sentences: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, fact: Fact, material: Material) -> Quoted:
        """What one fact quotes; a citation of a record that is not in the bundle is left out."""
        by_id = {source.record: source for source in material.sources}
        held = [(by_id[one.record], one) for one in fact.citations if one.record in by_id]
        sentences = dict.fromkeys((_widened(one, source.text), source.time) for source, one in held)
        return cls(tuple({source.record: source for source, _ in held}.values()), tuple(sentences))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the quoted sentences and of who says them, each once."""
        said = [word for text, _ in self.sentences for word in words_of(text)]
        return tuple(dict.fromkeys([*said, *self.authors]))

    @cached_property
    def authors(self) -> tuple[str, ...]:
        """The words of the names and roles of who says the sources."""
        return tuple(word for source in self.sources for word in words_of(f"{source.author} {source.role}"))

    @cached_property
    def around(self) -> frozenset[str]:
        """All words of the sources: a statement may give a name that a sentence only points at."""
        return frozenset(word for source in self.sources for word in words_of(source.text[:LONGEST_TEXT]))


def _widened(citation: Citation, text: str) -> str:
    start, end = citation.start, citation.end
    if not citation.quote or not 0 <= start < end <= len(text) or text[start:end] != citation.quote:
        return citation.quote
    low = max(0, start - LONGEST_SENTENCE)
    for gap in _END.finditer(text, low, start):
        low = gap.end()
    after = _END.search(text, end - 1, end + LONGEST_SENTENCE)
    return text[low : after.end() if after else end + LONGEST_SENTENCE].strip()
