"""Show, thin out or empty the cache of vectors and other results that are slow to make.

The folder is $DESIGNSEARCH_CACHE, else designsearch in the user's cache folder. Whatever is removed is made again
when it is needed; no result changes. The replies of models that ask, eval and diagnose were given lie there in one
file, and go as a whole: what they held is asked and paid for again. A study keeps its own in its run folder.

Examples:
    designsearch cache
    designsearch cache prune --days 30
    designsearch cache prune --max-size 500
    designsearch cache clear
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from designsearch.cli import figures
from designsearch.cli.options import natural
from designsearch.cli.parser import Namespace, Parser
from designsearch.cli.tables import table
from designsearch.dsl.problems import CannotContinueError, UserError

if TYPE_CHECKING:
    from designsearch.cli.output import Output

CALLS = "calls.sqlite"
"""The replies of models."""

DAY = 86_400
MEGABYTE = 1_000_000


class Kept(NamedTuple):
    """One cached file."""

    path: Path
    size: int
    used: float
    beside: tuple[Path, ...] = ()
    """Files that belong to it and go with it."""


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "action", nargs="?", choices=("info", "prune", "clear"), default="info", help="what to do (default: info)"
    )
    parser.add_argument("--days", type=natural, metavar="N", help="prune: remove what was not used for N days")
    parser.add_argument("--max-size", type=natural, metavar="MB", help="prune: keep at most so much, newest first")


def run(args: Namespace, out: Output) -> int:
    """Do it."""
    from designsearch.runtime.cache import default_folder

    if args.action != "prune" and (args.days is not None or args.max_size is not None):
        raise UserError("cache: --days and --max-size belong to cache prune")
    if args.action == "prune" and args.days is None and args.max_size is None:
        raise UserError("cache prune: say what to keep, with --days N or --max-size MB")
    folder = default_folder()
    kept = _files(folder)
    gone = {"info": [], "clear": kept, "prune": _too_much(kept, args.days, args.max_size)}[args.action]
    for one in gone:
        _remove(one)
    left = [one for one in kept if one not in set(gone)]
    _show(folder, left, gone, out)
    return 0


def _show(folder: Path, left: list[Kept], gone: list[Kept], out: Output) -> None:
    size, removed = sum(one.size for one in left), sum(one.size for one in gone)
    oldest = min((one.used for one in left), default=None)
    days = None if oldest is None else int((time.time() - oldest) // DAY)
    out.document(
        {
            "folder": str(folder),
            "files": len(left),
            "bytes": size,
            "oldest_days": days,
            "model_replies_bytes": sum(one.size for one in left if one.path.name == CALLS),
            "removed_files": len(gone),
            "removed_bytes": removed,
        }
    )
    rows = [("folder", str(folder)), ("holds", f"{figures.number_of(len(left), 'file')}, {figures.size(size)}")]
    replies = [one.size for one in left if one.path.name == CALLS]
    if replies:
        rows.append(("of these model replies", figures.size(sum(replies))))
    if days is not None:
        rows.append(("least recently used", f"{figures.number_of(days, 'day')} ago"))
    if gone:
        rows.append(("removed", f"{figures.number_of(len(gone), 'file')}, {figures.size(removed)}"))
    out.table(table("", "", rows=rows))


def _files(folder: Path) -> list[Kept]:
    """The cached files; nothing else in the folder is ever touched."""
    paths = [(path, ()) for path in sorted(folder.glob("[0-9a-f][0-9a-f]/*.npz"))]
    calls = folder / CALLS
    beside = tuple(path for end in ("-wal", "-shm") if (path := calls.with_name(CALLS + end)).is_file())
    return [kept for path, more in (*paths, (calls, beside)) if (kept := _kept(path, more)) is not None]


def _kept(path: Path, beside: tuple[Path, ...]) -> Kept | None:
    """A cached file with those beside it; ``None`` where another process removed it."""
    try:
        stats = [one.stat() for one in (path, *beside)]
    except OSError:
        return None
    return Kept(path, sum(one.st_size for one in stats), max(max(one.st_mtime, one.st_atime) for one in stats), beside)


def _too_much(kept: list[Kept], days: int | None, megabytes: int | None) -> list[Kept]:
    """What is older than some days, then the oldest until the rest fits."""
    newest = sorted(kept, key=lambda one: (-one.used, one.path))
    limit = time.time() - days * DAY if days is not None else float("-inf")
    gone = [one for one in newest if one.used < limit]
    if megabytes is None:
        return gone
    held = 0
    for one in (one for one in newest if one.used >= limit):
        held += one.size
        if held > megabytes * MEGABYTE:
            gone.append(one)
    return gone


def _remove(one: Kept) -> None:
    from designsearch.search.lock import hold_if_free

    try:
        if one.path.name != CALLS:
            one.path.unlink(missing_ok=True)
            if not any(one.path.parent.iterdir()):
                one.path.parent.rmdir()
            return
        with hold_if_free(one.path.with_suffix(".lock")) as free:
            if not free:
                raise CannotContinueError(f"{one.path}: another command is using it; wait for that, or stop it")
            for path in (one.path, *one.beside):
                path.unlink(missing_ok=True)
    except OSError as error:
        raise CannotContinueError(f"{one.path}: cannot be removed: {(error.strerror or str(error)).lower()}") from None
