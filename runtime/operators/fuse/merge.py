"""Join rankings entry by entry: what every fusion shares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from designsearch.dsl.problems import UserError
from designsearch.runtime.records import FloatArray, Rankings


def weights_of(given: Sequence[float] | None, rankings: Sequence[Rankings], op: str) -> Sequence[float]:
    """One weight a ranking; equal ones where none are given.

    Raises:
        UserError: there are more or fewer weights than rankings.
    """
    if given is None:
        return (1.0,) * len(rankings)
    if len(given) != len(rankings):
        raise UserError(
            f"{op}: weights has {len(given)} numbers, but {len(rankings)} rankings are fused; give one each"
        )
    return given


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
