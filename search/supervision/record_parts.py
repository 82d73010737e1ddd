"""Which part of the questions each record may serve, settled before any question is made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.records import History
from designsearch.search.contracts import Part


@dataclass(frozen=True)
class RecordParts:
    """The division of a history's records.

    Attributes:
        codes: shape (records,), int8: the index into ``names``.
        names: the parts that were asked for.
        notes: what a reader should know about the division.
    """

    codes: NDArray[np.int8]
    names: tuple[Part, ...]
    notes: tuple[str, ...] = ()

    def rows_of(self, part: Part) -> NDArray[np.bool_]:
        """Shape (records,): which rows are in a part, as :class:`~.bundles.Bundles` takes them."""
        mask: NDArray[np.bool_] = self.codes == self.names.index(part)
        return mask


def split_records(history: History, shares: Mapping[Part, float], *, seed: int) -> RecordParts:
    """Divide the records so that no two parts share a conversation, a reference or nearly the same text."""
    raise NotImplementedError
