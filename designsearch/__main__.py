"""``python -m designsearch``: the command line."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command that the arguments name and return its exit status."""
    from designsearch.cli.app import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
