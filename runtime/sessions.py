"""Which records belong together: the sessions of a history."""

from __future__ import annotations

import numpy as np

from designsearch.runtime.records import History, IntArray


def session_numbers(history: History, rows: IntArray) -> IntArray:
    """Shape (rows,): equal numbers for entries of one session.

    An entry whose record has no session stands alone: it has a number of its own, below 0.
    """
    codes = history.sessions.codes[rows].astype(np.int64)
    alone = np.array([not name for name in history.sessions.names], bool)
    if not len(codes) or not alone.any():
        return codes
    return np.where(alone[codes], -1 - np.arange(len(codes)), codes)
