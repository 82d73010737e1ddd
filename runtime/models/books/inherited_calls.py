"""Replies in memory that take over from earlier ones what is asked for again, so that the rest can be forgotten."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.requests import Reply


class InheritedCalls(CallStore):
    """A store in memory that copies what it is asked for out of another one, for as long as it may.

    A reply is found by all that was asked. Who asks only out of records that are left takes over only what was written
    from those, and the other store can go with everything that was written from the others.

    Args:
        before: the other store; it must stay open until :meth:`part`, and is not changed.
    """

    def __init__(self, before: CallStore) -> None:
        super().__init__(None)
        self._before: CallStore | None = before

    def find(self, keys: Sequence[str]) -> dict[str, Reply]:
        """As :meth:`CallStore.find`, in both stores."""
        found = super().find(keys)
        if self._before is not None:
            taken = self._before.find([key for key in keys if key not in found])
            for key, reply in taken.items():
                self.keep(key, "", "", reply)
            found |= taken
        return found

    def find_vectors(self, keys: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """As :meth:`CallStore.find_vectors`, in both stores."""
        found = super().find_vectors(keys)
        if self._before is not None:
            taken = self._before.find_vectors([key for key in keys if key not in found])
            self.keep_vectors(taken)
            found |= taken
        return found

    def part(self) -> None:
        """Let go of the other store: nothing more is taken over."""
        self._before = None
