"""The typed spans of supporting sentences, nearest to the question's words first."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.runtime.models.offline.spans import Kind, Span, typed_spans
from designsearch.runtime.models.offline.support import Support


def nearby_spans(supports: Sequence[Support], *kinds: Kind) -> list[Span]:
    """Spans of some kinds: the best sentence's first, within a sentence those nearest to the question's words first."""
    return [span for support in supports for span in _nearest_first(support, kinds)]


def _nearest_first(support: Support, kinds: tuple[Kind, ...]) -> list[Span]:
    places = word_places(support)
    own = [s for s in typed_spans(support.sentence.text, support.sentence.day) if s.kind in kinds]
    return sorted(own, key=lambda s: distance(s.start, places))


def word_places(support: Support) -> list[int]:
    """Where in the sentence the question's words stand (characters)."""
    lowered = support.sentence.text.casefold()
    matched = [w for w, s in zip(support.words, support.stems, strict=True) if s in support.matched]
    return [p for p in (lowered.find(w) for w in dict.fromkeys(matched)) if p >= 0]


def distance(place: int, places: Sequence[int]) -> int:
    """Characters to the nearest of some places; 0 where there are none."""
    return min((abs(place - p) for p in places), default=0)
