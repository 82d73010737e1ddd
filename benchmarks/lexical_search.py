"""Compiled Base-BM25 against bare bm25s and against rank-bm25, from question to top-k ids, on one core.

Index building is left out on all sides. bm25s runs its numpy backend on one batch; rank-bm25 is timed on a part of the
questions and scaled up, since it needs minutes for all of them.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

import bm25s
import numpy as np
import Stemmer
from rank_bm25 import BM25Okapi
from synthetic import history, questions

from designsearch.dsl.validate import load_design_file
from designsearch.runtime.compile import compile_design
from designsearch.runtime.operators import load_all
from designsearch.runtime.records import Queries

BASE = Path(__file__).parents[1] / "designs" / "baselines" / "bm25.yaml"
K = 1000


def timed(work: Callable[[], object]) -> float:
    """Seconds that a piece of work takes."""
    began = perf_counter()
    work()
    return perf_counter() - began


def main() -> None:
    """Print the ratios."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--records", type=int, default=100_000)
    options.add_argument("--questions", type=int, default=1_000)
    options.add_argument("--slow-questions", type=int, default=20, help="questions that rank-bm25 is timed on")
    options.add_argument("--runs", type=int, default=3)
    given = options.parse_args()

    design = load_design_file(BASE, load_all())
    pipeline = compile_design(design)
    memory = pipeline.open(history(given.records))
    texts = list(memory.store(None).texts("described"))
    pipeline.search(memory, Queries.of(["warm up"]))  # builds the index

    stemmer = Stemmer.Stemmer("english")
    bare = bm25s.BM25(k1=1.5, b=0.75, method="lucene", backend="numpy")
    tokens = bm25s.tokenize(texts, stopwords=None, stemmer=stemmer, show_progress=False)
    bare.index(tokens, show_progress=False)
    rows = [[str(t) for t in row] for row in tokens.ids]
    slow = BM25Okapi(rows)

    def reference(asked: list[str]) -> None:
        for question in asked:
            ids = bm25s.tokenize([question], stopwords=None, stemmer=stemmer, show_progress=False, return_ids=False)
            known = [str(tokens.vocab[t]) for t in ids[0] if t in tokens.vocab]
            np.argsort(-slow.get_scores(known))[:K]

    def library(asked: list[str]) -> None:
        query = bm25s.tokenize(asked, stopwords=None, stemmer=stemmer, show_progress=False, return_ids=False)
        bare.retrieve(query, k=K, show_progress=False)

    pairs = []
    for run in range(given.runs):
        asked = questions(given.questions, seed=10 + run)  # new questions each time: no ranking is found in the cache
        ours = timed(lambda asked=asked: pipeline.search(memory, Queries.of(asked)))
        pairs.append((ours, timed(lambda asked=asked: library(asked))))
    ours, theirs = median(a for a, _ in pairs), median(b for _, b in pairs)
    part = questions(given.slow_questions, seed=10)
    okapi = timed(lambda: reference(part)) * given.questions / given.slow_questions
    print(f"{given.records} records, {given.questions} questions, k = {K}, one core, median of {given.runs}")
    print(f"compiled Base-BM25   {ours:8.2f} s")
    print(f"bare bm25s           {theirs:8.2f} s   ours / bare: {median(a / b for a, b in pairs):.2f}")
    print(f"rank-bm25 (scaled)   {okapi:8.1f} s   rank-bm25 / ours: {okapi / ours:.0f}")


if __name__ == "__main__":
    main()
