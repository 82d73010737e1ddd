"""Join rankings entry by entry: what every fusion shares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from designsearch.runtime.records import FloatArray, Rankings


def merge(rankings: Sequence[Rankings], values: Sequence[FloatArray]) -> Rankings:
    """The units of all rankings, each with the sum of its values, best first, ties by id.

    Args:
        rankings: over the same questions.
        values: what each entry contributes, shape (entries,) a ranking.
    """
    questions = len(rankings[0])
    owners = np.concatenate([r.owners for r in rankings])
    ids = np.concatenate([r.ids for r in rankings])
    width = int(ids.max(initial=0)) + 1
    keys, inverse = np.unique(owners * width + ids, return_inverse=True)
    sums = np.bincount(inverse, weights=np.concatenate(values), minlength=len(keys))
    scores = sums.astype(np.float64, copy=False)
    owner, unit = keys // width, keys % width
    order = np.lexsort((unit, -scores, owner))
    offsets = np.zeros(questions + 1, np.int64)
    np.cumsum(np.bincount(owner, minlength=questions), out=offsets[1:])
    return Rankings(offsets, unit[order], scores[order])
