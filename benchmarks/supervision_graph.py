"""The graph of a history's records: seconds, and whether the time a record grows with the history.

Every size is made by one rule: common words by Zipf's law, and topics whose own words some thirty records share, so
that a longer history has more words as real ones do. Some records reply, and some name files.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import resource
from statistics import median
from time import perf_counter, process_time

import numpy as np
from synthetic import history as closed_history
from synthetic import vocabulary

from designsearch.runtime.histories.fold import fold
from designsearch.runtime.records import History, Record
from designsearch.search.supervision.graph.graph import EdgeKind, RecordGraph, build_graph

COMMON = 5_000
OF_TOPIC = 40
TOPIC_RECORDS = 30
SESSION = 40


def bursty_history(count: int) -> History:
    """Topics that come up within some six hundred records, as in talk."""
    return open_history(count, span=600)


def open_history(count: int, span: int | None = None, words: int = 30, seed: int = 3) -> History:
    """Records of which a third of the words belong to their topic; a topic's records are spread over ``span``."""
    chance = np.random.default_rng(seed)
    common = np.array(vocabulary()[:COMMON])
    weights = 1.0 / np.arange(1, COMMON + 1) ** 1.05
    drawn = chance.choice(COMMON, size=(count, words - words // 3), p=weights / weights.sum())
    span = min(span or count, count)
    at_a_time = max(1, span // TOPIC_RECORDS)
    topics = np.arange(count) // span * at_a_time + chance.integers(at_a_time, size=count)
    own = chance.integers(OF_TOPIC, size=(count, words // 3))
    records = [
        Record(
            id=f"r{row}",
            text=" ".join([*common[drawn[row]], *(f"t{topics[row]}w{word}" for word in own[row])])
            + (f" plan{topics[row]}.pdf" if row % 10 == 0 else ""),
            time=f"{2020 + row // 20_000:04d}-{1 + row // 1_700 % 12:02d}-{1 + row // 60 % 28:02d}T09:00",
            author="ana",
            role="user",
            session=f"s{row // SESSION}",
            source="chat",
            reply_to=f"r{row - 1}" if row % 4 == 3 else "",
        )
        for row in range(count)
    ]
    return fold(records, "open")


def measured(history: History) -> tuple[float, float, RecordGraph]:
    """Seconds by the clock and of this process, and the graph."""
    began, busy = perf_counter(), process_time()
    graph = build_graph(history)
    return perf_counter() - began, process_time() - busy, graph


HISTORIES = {
    "topics of their time": bursty_history,
    "topics spread over all": open_history,
    "one vocabulary of 30,000": closed_history,
}


def main() -> None:
    """Print the seconds and the ratio."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--records", type=int, default=20_000)
    options.add_argument("--times", type=int, default=10, help="how many times as long the long history is")
    options.add_argument("--runs", type=int, default=3)
    given = options.parse_args()
    for name, make in HISTORIES.items():
        a_record = []
        for size in (given.records, given.records * given.times):
            history = make(size)
            runs = [measured(history) for _ in range(given.runs)]
            clock, busy, graph = median(r[0] for r in runs), median(r[1] for r in runs), runs[0][2]
            a_record.append(busy / size)
            degrees = {kind.label: int((graph.kinds == kind).sum()) / size for kind in EdgeKind}
            shown = ", ".join(f"{label} {degree:.1f}" for label, degree in degrees.items())
            print(f"{name}: {size:>8,} records {clock:7.2f} s ({busy:.2f} s of the processor)  degrees: {shown}")
        print(f"{name}: time a record, long / short: {a_record[1] / a_record[0]:.2f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"most memory held: {peak:,.0f} MiB")


if __name__ == "__main__":
    main()
