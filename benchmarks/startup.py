"""``designsearch --help`` against ``optuna --help``: whole processes, in turn, the median of each."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter


def seconds(program: str) -> float:
    """Time of one run, from start to exit."""
    began = perf_counter()
    subprocess.run([str(Path(sys.executable).parent / program), "--help"], check=True, capture_output=True)
    return perf_counter() - began


def main() -> None:
    """Print the ratio."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=10)
    given = options.parse_args()
    for program in ("designsearch", "optuna"):  # warm the file cache
        seconds(program)
    pairs = [(seconds("designsearch"), seconds("optuna")) for _ in range(given.runs)]
    ours, theirs = median(a for a, _ in pairs), median(b for _, b in pairs)
    print(f"designsearch --help {ours:.3f} s   optuna --help {theirs:.3f} s   ours / optuna: {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
