import numpy as np
import pytest
from runtime_fakes import ask, call, memory_of, ranked

from designsearch.runtime.token_counter import BundledCounter

ENTRIES = [
    {"text": "When? ", "session": "s", "time": "2024-01-01"},
    {"text": "on the 5th", "session": "t", "time": "2024-01-01"},
    {"text": "what？", "session": "s", "time": "2024-01-01"},
    {"text": "", "session": "s", "time": "2024-01-02"},
    {"text": "alone", "time": "2024-01-03"},
    {"text": "alone too", "time": "2024-01-03"},
]
M = memory_of(ENTRIES)


def feature(name, ids=(0, 1, 2, 3, 4, 5)):
    return call("features", name, ranked(list(ids)), ask("?"), M).tolist()


def test_question_mark():
    assert feature("question_mark") == [1, 0, 1, 0, 0, 0]


def test_digits():
    assert feature("digits") == [0, 1, 0, 0, 0, 0]


def test_length():
    counts = BundledCounter().count_all([e["text"] for e in ENTRIES])
    assert feature("length") == pytest.approx(np.log1p(counts))


def test_opening_of_a_session_or_of_a_new_time_in_it():
    assert feature("opening") == [1, 1, 0, 1, 1, 1]


def test_position_in_the_session():
    assert feature("position") == pytest.approx(np.log([1, 1, 2, 3, 1, 1]))


def test_values_go_with_the_units():
    assert feature("digits", (3, 1)) == [0, 1]
