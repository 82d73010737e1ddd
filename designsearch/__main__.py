"""``python -m designsearch``: the command line."""

from __future__ import annotations

import os
import sys

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def main() -> int:
    """Run the command that the arguments name and return its exit status."""
    # the matrices here are small: threads that wait for each other cost ten times what they bring, and one thread adds
    # up in one order; parallel work is the study's `execution`
    for name in _THREADS:
        os.environ.setdefault(name, "1")
    from designsearch.cli.app import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
