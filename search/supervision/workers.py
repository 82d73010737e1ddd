"""Drafts and their verification, here or in processes of their own."""

from __future__ import annotations

import os
import pickle
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from designsearch.search.supervision.asked import with_time
from designsearch.search.supervision.cast import Cast
from designsearch.search.supervision.contracts import Draft, Material, Rejection
from designsearch.search.supervision.items import Item, lost, made
from designsearch.search.supervision.settings import Asked
from designsearch.search.supervision.verification_settings import Verified

Batch = tuple[str, Sequence[Material]]
"""Materials of one part."""

PREFIX = "workers-"
"""How the file that processes read is called; it is there only while they work."""


class Workers:
    """Turns batches of materials into items.

    Args:
        cast: the roles.
        asked: when questions are asked.
        folder: what processes read is kept there while there is work; what a killed run left is removed.
        jobs: processes; models are always asked from this one, as their calls are in flight together anyway.
    """

    def __init__(self, cast: Cast, asked: Asked, folder: Path, jobs: int = 1) -> None:
        self._cast = cast
        self._asked = asked
        self._folder = folder
        self.jobs = jobs if cast.offline else 1
        self._file: Path | None = None
        self.close()

    def items(self, batches: Sequence[Batch]) -> list[list[Item]]:
        """The items of each batch, in order; those that passed are ``kept`` as far as the selection agrees.

        Raises:
            OutOfBudgetError, CannotContinueError: as the roles.
        """
        if self.jobs == 1 or self._file is None or len(batches) == 1:
            # the first batches are worked on here, which builds what the roles build once, for the processes to read
            done = [work(self._cast, self._asked, part, materials) for part, materials in batches]
            if self.jobs > 1:
                self._keep()
            return done
        from joblib import Parallel, delayed

        path = str(self._file)
        calls = [delayed(_in_process)(path, self._asked, part, materials) for part, materials in batches]
        found: list[list[Item]] = Parallel(n_jobs=self.jobs, backend="loky")(calls)
        return found

    def close(self) -> None:
        """Remove what other processes read: it holds the text of the history."""
        self._file = None
        for left in self._folder.glob(f"{PREFIX}*"):
            left.unlink(missing_ok=True)

    def _keep(self) -> None:
        """Write the roles for other processes."""
        if self._file is None:
            number, name = tempfile.mkstemp(prefix=PREFIX, dir=self._folder)
            with os.fdopen(number, "wb") as file:
                pickle.dump(self._cast, file)
            self._file = Path(name)


def work(cast: Cast, asked: Asked, part: str, materials: Sequence[Material]) -> list[Item]:
    """The item of each material, in order."""
    found = [
        with_time(one, asked) if isinstance(one, Draft) else one
        for one in (cast.generator.draft(materials) if materials else ())
    ]
    drafts = [one for one in found if isinstance(one, Draft)]
    verified = iter(cast.verify(drafts))
    items: list[Item] = []
    for material, one in zip(materials, found, strict=True):
        if isinstance(one, Rejection):
            items.append(lost(part, material, one))
            continue
        verdict = next(verified)
        items.append(_item(cast, part, one, verdict))
    return items


def _item(cast: Cast, part: str, draft: Draft, verdict: Verified | Rejection) -> Item:
    """The item of a verified draft, in the words in which it is asked."""
    if isinstance(verdict, Rejection):
        return lost(part, draft.material, verdict, draft)
    final = cast.reword(verdict.draft)
    if isinstance(final, Rejection):
        return lost(part, draft.material, final, draft)
    return made(part, replace(verdict, draft=final))


@lru_cache(maxsize=2)
def _read(path: str) -> Cast:
    # written by the parent process, which holds the folder, a moment ago; nobody else may read it
    cast: Cast = pickle.loads(Path(path).read_bytes())  # noqa: S301
    return cast


def _in_process(path: str, asked: Asked, part: str, materials: Sequence[Material]) -> list[Item]:
    return work(_read(path), asked, part, materials)
