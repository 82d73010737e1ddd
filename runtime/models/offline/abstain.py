"""Whether a context supports an answer at all.

Three signs that it does not, each calibrated so that few right answers are lost:

1. The best sentence holds too little of the question: less than :data:`LEAST_SHARE` of its weighted terms and, so that
   a long question is not refused for its length, less than some terms' worth. How many grows with the logarithm of the
   number of sentences, as the best of many unrelated sentences shares more words by chance than the best of few.
2. The best sentence is somebody else speaking of themselves.
3. What the question is about is told far better by somebody else of themselves than by or of the one asked about:
   the right person's sentences hold less than :data:`LEAST_OWN` of the terms that another's hold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from designsearch.runtime.models.offline.question import Asked
from designsearch.runtime.models.offline.support import Support

LEAST_SHARE = 0.5
LEAST_TERMS = 0.25
MORE_TERMS = 0.32
LEAST_OWN = 0.7


def is_supported(asked: Asked, ranked: Sequence[Support]) -> bool:
    """Whether an answer should be given from these sentences (best first, at least one)."""
    best = ranked[0]
    least_terms = LEAST_TERMS + MORE_TERMS * math.log(len(ranked))
    if best.score < LEAST_SHARE and best.score * len(asked.terms) < least_terms:
        return False
    if not best.fits_person:
        return False
    told = max(s.about for s in ranked)
    own = max((s.about for s in ranked if s.fits_person), default=0)
    return own >= LEAST_OWN * told
