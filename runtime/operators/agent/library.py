"""The raw records as an agent finds and reads them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from designsearch.dsl.design import RAW, StorePlan
from designsearch.dsl.operators import REGISTRY, Stage
from designsearch.runtime.indexes.lexical import best
from designsearch.runtime.memory import Memory, Store
from designsearch.runtime.operators.refine.candidate_texts import cut_all
from designsearch.runtime.operators.retrieve.bm25 import Bm25Params, weighted_terms
from designsearch.runtime.operators.storage.records import RecordsParams
from designsearch.runtime.operators.storage.spans import by_session
from designsearch.runtime.record_messages import message
from designsearch.runtime.records import Query

SNIPPET = 80
"""Tokens of a record that a search shows."""

BESIDE = 3
"""Records before and after one that is read that are shown with it at most."""


class Library:
    """Search and reading over all records, whatever the stores of the design hold.

    Args:
        m: the memory; its cache holds the index, which a store of records shares.
    """

    def __init__(self, m: Memory) -> None:
        self._history = m.history
        self._counter = m.services.counter
        operator = REGISTRY.get("units", "records")
        assert operator is not None
        plan = StorePlan("records", Stage(operator, RecordsParams()))
        self._store = Store(plan, 0, m.history, m.services)
        self._bm25 = Bm25Params()

    def search(self, query: str, k: int) -> list[int]:
        """Rows of the records that share words with the query, the best ``k`` by BM25."""
        p = self._bm25
        index = self._store.lexical(RAW, p.stem, p.stopwords, p.variant, p.k1, p.b, p.engine)
        rows, _ = best(index.scores(weighted_terms(Query("question", query), p)), k)
        found: list[int] = rows.tolist()
        return found

    def snippets(self, rows: Sequence[int]) -> list[str]:
        """The beginnings of records, each with its time and author."""
        return self._shown(rows, SNIPPET)

    def pages(self, row: int, tokens: int) -> dict[int, str]:
        """A record and those nearest to it in its session as far as ``tokens`` last, in order of the session, by row.

        The record itself is cut where it alone is longer.
        """
        near = self._beside(row)
        lengths = self._counter.count_all([self._history.texts[r] for r in (row, *near)]).tolist()
        left, chosen = tokens - lengths[0], [row]
        for other, length in zip(near, lengths[1:], strict=True):
            if length > left:
                break
            left -= length
            chosen.append(other)
        chosen.sort(key=lambda r: self._place[r])
        return dict(zip(chosen, self._shown(chosen, tokens), strict=True))

    def _beside(self, row: int) -> list[int]:
        """The records around one in its session, nearest first, the earlier one first."""
        session, at = self._place[row]
        rows = self._sessions[session]
        places = [at + sign * distance for distance in range(1, BESIDE + 1) for sign in (-1, 1)]
        return [rows[place] for place in places if 0 <= place < len(rows)]

    @cached_property
    def _sessions(self) -> list[list[int]]:
        return by_session(self._history)

    @cached_property
    def _place(self) -> dict[int, tuple[int, int]]:
        """Session and place in it, by row."""
        return {row: (s, i) for s, rows in enumerate(self._sessions) for i, row in enumerate(rows)}

    def _shown(self, rows: Sequence[int], tokens: int) -> list[str]:
        cut = cut_all([self._history.texts[row] for row in rows], tokens, self._counter)
        return [message(self._history, row, text) for row, text in zip(rows, cut, strict=True)]
