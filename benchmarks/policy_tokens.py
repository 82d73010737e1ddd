"""Tokens that a memory policy reads a question, on synthetic histories of growing size: flat if it does not read more.

The limit is the design's ``observation_tokens`` a search; a small history may hold less than that.

    python benchmarks/policy_tokens.py designs/systems/aio-mem-policy.yaml designs/found/rhelm-policy.yaml
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
from statistics import fmean

from synthetic import history

from designsearch.inputs import open_design
from designsearch.runtime.cache import Cache
from designsearch.runtime.compile import compile_design
from designsearch.runtime.records import Queries
from designsearch.runtime.services import Services


def observed(file: str, records: int, questions: int) -> tuple[float, float]:
    """Tokens read and searches made, means over questions that each repeat every third word of a record."""
    held = history(records)
    step = max(1, records // questions)
    queries = Queries.of([" ".join(held.texts[i * step].split()[::3]) for i in range(questions)])
    pipeline = compile_design(open_design(file), services=Services(Cache()))
    steps = pipeline.search(pipeline.open(held), queries).steps
    episodes = [one for step in steps for one in step.episodes if one is not None]
    searches = [sum(taken.action.type == "search" for taken in one.steps) for one in episodes]
    return fmean(one.observed for one in episodes), fmean(searches)


def main() -> None:
    """Print the table and the ratio of the largest to the one before."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("designs", nargs="+")
    options.add_argument("--records", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    options.add_argument("--questions", type=int, default=20)
    given = options.parse_args()
    for file in given.designs:
        found = [observed(file, records, given.questions) for records in given.records]
        for records, (tokens, searches) in zip(given.records, found, strict=True):
            print(f"{file}: {records:9,} records, {tokens:8,.0f} tokens read in {searches:.2f} searches", flush=True)
        print(f"{file}: ratio of the last two {found[-1][0] / found[-2][0]:.2f}")


if __name__ == "__main__":
    main()
