"""Drafts and their verification, here or in processes of their own."""

from __future__ import annotations

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


class Workers:
    """Turns batches of materials into items.

    Args:
        cast: the roles.
        asked: when questions are asked.
        jobs: processes; models are always asked from this one, as their calls are in flight together anyway.
    """

    def __init__(self, cast: Cast, asked: Asked, jobs: int = 1) -> None:
        self._cast = cast
        self._asked = asked
        self.jobs = jobs if cast.offline else 1
        self._file: Path | None = None

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

    def _keep(self) -> None:
        """Write the roles for other processes; removed with this object."""
        if self._file is None:
            self._folder = tempfile.TemporaryDirectory(prefix="designsearch-")
            self._file = Path(self._folder.name) / "cast"
            self._file.write_bytes(pickle.dumps(self._cast))


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
    # written by the parent process into a private temporary folder a moment ago
    cast: Cast = pickle.loads(Path(path).read_bytes())  # noqa: S301
    return cast


def _in_process(path: str, asked: Asked, part: str, materials: Sequence[Material]) -> list[Item]:
    return work(_read(path), asked, part, materials)
