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
from typing import TYPE_CHECKING

from designsearch import figures
from designsearch.cached import CALLS, Kept, cached_files, remove
from designsearch.cli.options import natural
from designsearch.cli.parser import Namespace, Parser
from designsearch.cli.tables import table
from designsearch.dsl.problems import UserError

if TYPE_CHECKING:
    from designsearch.cli.output import Output

DAY = 86_400
MEGABYTE = 1_000_000


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
    kept = cached_files(folder)
    gone = {"info": [], "clear": kept, "prune": _too_much(kept, args.days, args.max_size)}[args.action]
    for one in gone:
        remove(one)
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
