"""Small histories, memories and rankings for tests of the runtime."""

from __future__ import annotations

import math

import numpy as np

from designsearch.dsl.operators import Stage
from designsearch.dsl.validate import load_design
from designsearch.runtime.histories.fold import fold
from designsearch.runtime.histories.times import parse_time
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators import load_all
from designsearch.runtime.records import NO_TIME, Queries, Rankings, Record
from designsearch.runtime.services import Services

REGISTRY = load_all()


def records_of(entries, **common):
    """Records ``r0``, ``r1``, ... from texts or from dictionaries of fields."""
    made = []
    for i, entry in enumerate(entries):
        fields = {"text": entry} if isinstance(entry, str) else entry
        made.append(Record(**{"id": f"r{i}", **common, **fields}))
    return made


def history_of(entries, **common):
    """The snapshot of such records."""
    return fold(records_of(entries, **common), "h")


def design_of(text):
    """A design from YAML; the version and, where they are missing, a retriever are added."""
    if "retrieval:" not in text:
        text += "\nretrieval: [{op: recent}]"
    return load_design(f"version: 1\n{text}", registry=REGISTRY)


def memory_of(entries, design="", services=None, **common):
    """A memory of a design over such records."""
    return Memory(design_of(design), history_of(entries, **common), services or Services())


def ask(*questions, as_of=None):
    """A batch of questions asked at a time, or each at one of its own (``None``: unknown)."""
    times = as_of if isinstance(as_of, list) else [as_of] * len(questions)
    return Queries.of(questions, [NO_TIME if t is None else parse_time(t).local for t in times])


def stage(slot, op, **values):
    """A stage of an operator."""
    found = REGISTRY.get(slot, op)
    return Stage(found, found.params.model_validate(values))


def call(slot, op, *inputs, **values):
    """What an operator gives for its inputs."""
    made = stage(slot, op, **values)
    return made.operator.function(made.params, *inputs)


def ranked(*rows):
    """Rankings from one list of ids, or one mapping of ids to scores, a question."""
    pairs = []
    for row in rows:
        scores = row if isinstance(row, dict) else {unit: float(len(row) - i) for i, unit in enumerate(row)}
        pairs.append((list(scores), list(scores.values())))
    return Rankings.of(pairs)


def rows_of(rankings):
    """The ids of each question as lists."""
    return [rankings.of_question(q)[0].tolist() for q in range(len(rankings))]


class QuarterCounter:
    """Four characters are a token: does not split at line breaks."""

    name = "characters-by-4"
    splits_at_newline = False

    def count_all(self, texts):
        return np.array([math.ceil(len(text) / 4) for text in texts], np.int64)

    def at_least(self, text):
        return len(text) // 4

    def truncate(self, text, limit):
        return text[: 4 * limit]


class WordCounter:
    """White space parts tokens, however long: does not split at line breaks."""

    name = "words"
    splits_at_newline = False

    def count_all(self, texts):
        return np.array([len(text.split()) for text in texts], np.int64)

    def at_least(self, text):
        return 0

    def truncate(self, text, limit):
        words = text.split()
        return text if len(words) <= limit else " ".join(words[:limit])


class WrappedCounter:
    """Words, each line break a token, and 30 more for any text at all, as of a chat format around it."""

    name = "wrapped"
    splits_at_newline = True

    def at_least(self, text):
        return 0

    def count_all(self, texts):
        return np.array([len(text.split()) + text.count("\n") + 30 * bool(text) for text in texts], np.int64)

    def truncate(self, text, limit):
        return " ".join(text.split()[: max(0, limit - 30)])
