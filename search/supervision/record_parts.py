"""Which part of the questions each record may serve, settled before any question is made from it.

Records that belong together stay together: those of one conversation or document, those that reply or refer to each
other, and those that say nearly the same. The groups are dealt out in order of time, each to the part that lacks most,
so that every part covers the whole time; where a few groups are too large for that, they are cut into blocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.problems import UserError
from designsearch.runtime.records import FloatArray, History, IntArray
from designsearch.search.contracts import PARTS, Part
from designsearch.search.supervision.record_groups import belonging, labels, repeating

NOWHERE = -1
"""The code of a record that no part may use."""

WINDOW = 8
"""Groups that follow each other in time and are dealt out in an order by chance."""

BLOCKS = 4
"""What is too large is cut into blocks of this fraction of the smallest part."""


@dataclass(frozen=True)
class RecordParts:
    """The division of a history's records.

    Attributes:
        codes: shape (records,), int8: the index into ``names``; -1 for a record that no part may use.
        names: the parts that were asked for.
        shares: the share of the records that each part got.
        notes: what a reader should know about the division.
    """

    codes: NDArray[np.int8]
    names: tuple[Part, ...]
    shares: tuple[float, ...]
    notes: tuple[str, ...] = ()

    def rows_of(self, part: Part) -> NDArray[np.bool_]:
        """Shape (records,): which rows are in a part, as :class:`~.graph.bundles.Bundles` takes them."""
        mask: NDArray[np.bool_] = self.codes == self.names.index(part)
        return mask


def split_records(
    history: History, shares: Mapping[Part, float], *, seed: int, tokens: IntArray | None = None
) -> RecordParts:
    """Divide the records so that no two parts share a conversation, a reference or nearly the same text.

    Args:
        history: the records.
        shares: the parts wanted, each with its share; parts without one are left out.
        seed: of the division, not negative.
        tokens: shape (records,): the length of each; characters where not given. A record weighs by half what it adds
            to the number of records, by half what it adds to their length.

    Raises:
        UserError: a part would be empty.
    """
    names = tuple(part for part in PARTS if shares.get(part, 0) > 0)
    wanted = np.array([shares[part] for part in names]) / sum(shares[part] for part in names)
    if not len(history):
        raise UserError(f"history {history.name!r}: it is empty and cannot be divided")
    weights = _weights(history, tokens)
    stated, copies = belonging(history), repeating(history)
    notes: list[str] = []
    groups = labels(len(history), [*stated, copies])
    if not _fits(groups, weights, wanted):
        groups = _cut(labels(len(history), stated), weights, wanted, notes)
    codes = _deal(groups, weights, wanted, np.random.default_rng([seed]))
    if notes:
        codes = _without_copies(codes, copies, notes)
    empty = [part for code, part in enumerate(names) if not (codes == code).any()]
    if empty:
        raise UserError(
            f"history {history.name!r}: no record is left for {empty[0]}: {len(history)} records, of which "
            f"{int((codes == NOWHERE).sum())} repeat another, cannot be divided into {len(names)} parts "
            f"({', '.join(names)}); use a longer history, or fewer parts"
        )
    reached = tuple(float((codes == code).mean()) for code in range(len(names)))
    return RecordParts(codes, names, reached, tuple(notes))


def _weights(history: History, tokens: IntArray | None) -> FloatArray:
    """Shape (records,): what each record weighs; all together 1."""
    lengths = np.array([len(text) for text in history.texts] if tokens is None else tokens, np.float64)
    weights: FloatArray = (1 / len(lengths) + lengths / max(1.0, lengths.sum())) / 2
    return weights


def _fits(groups: IntArray, weights: FloatArray, wanted: FloatArray) -> bool:
    """Whether the parts can be made of whole groups."""
    heavy = np.bincount(groups, weights)
    return len(heavy) >= 2 * len(wanted) and bool(heavy.max() <= wanted.min())


def _cut(groups: IntArray, weights: FloatArray, wanted: FloatArray, notes: list[str]) -> IntArray:
    """The groups, cut into contiguous blocks where they are too heavy."""
    if _fits(groups, weights, wanted):
        notes.append("repeated texts tie too much together: only conversations, documents and replies are kept whole")
        return groups
    heavy, limit = np.bincount(groups, weights), wanted.min() / BLOCKS
    blocks, cut = groups.copy(), np.flatnonzero(heavy > limit)
    for number in cut.tolist():
        rows = np.flatnonzero(groups == number)
        block = ((np.cumsum(weights[rows]) - weights[rows]) // limit).astype(np.int64)
        blocks[rows] = np.where(block == 0, number, blocks.max() + block)
    notes.append(
        f"{len(cut)} of {len(heavy)} conversations, documents and chains of replies ({heavy[cut].sum():.0%} of the "
        "history) each hold too much of it to be kept whole: cut into contiguous blocks of records"
    )
    return blocks


def _deal(groups: IntArray, weights: FloatArray, wanted: FloatArray, chance: np.random.Generator) -> NDArray[np.int8]:
    """Each group to the part that lacks most by then, in order of time but for a little chance."""
    _, first, groups = np.unique(groups, return_index=True, return_inverse=True)
    heavy = np.bincount(groups, weights)
    order = np.argsort(first)
    order = np.concatenate([chance.permutation(order[i : i + WINDOW]) for i in range(0, len(order), WINDOW)])
    # what no later group could make good comes first
    order = np.concatenate([order[heavy[order] > wanted.min() / 4], order[heavy[order] <= wanted.min() / 4]])
    part_of = np.zeros(len(heavy), np.int8)
    has, dealt = np.zeros(len(wanted)), 0.0
    for place, group in enumerate(order.tolist()):
        dealt += heavy[group]
        lacking = wanted * dealt - has
        if len(order) - place <= int((has == 0).sum()):
            lacking[has > 0] = -np.inf  # the last groups go to parts that have none
        part = int(np.argmax(lacking))
        part_of[group] = part
        has[part] += heavy[group]
    return part_of[groups]


def _without_copies(codes: NDArray[np.int8], copies: IntArray, notes: list[str]) -> NDArray[np.int8]:
    """The division without those records that say nearly what an earlier one of another part says."""
    _, first, inverse = np.unique(copies, return_index=True, return_inverse=True)
    stray = codes != codes[first][inverse]
    if stray.any():
        notes.append(f"{int(stray.sum())} records repeat one of another part and are in none")
    return np.where(stray, np.int8(NOWHERE), codes).astype(np.int8)
