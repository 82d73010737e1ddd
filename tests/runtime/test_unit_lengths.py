"""Tokens of units, counted once."""

import numpy as np
from runtime_fakes import QuarterCounter, memory_of

from designsearch.runtime.services import Services
from designsearch.runtime.unit_lengths import unit_lengths


class Counting(QuarterCounter):
    """Notes what it is asked about."""

    def __init__(self):
        self.asked = []

    def count_all(self, texts):
        self.asked += texts
        return super().count_all(texts)


def test_each_unit_is_counted_once_for_all_memories_of_one_content():
    services = Services(counter=Counting())
    one, other = (memory_of(["four", "eight ch", "twelve chars"], services=services) for _ in range(2))
    services.counter.asked.clear()
    assert unit_lengths(one, np.array([2, 0, 2])).tolist() == [3, 1, 3]
    assert unit_lengths(other, np.array([0, 1])).tolist() == [1, 2]
    assert services.counter.asked == ["four", "twelve chars", "eight ch"]


def test_another_content_has_lengths_of_its_own():
    services = Services(counter=Counting())
    assert unit_lengths(memory_of(["four"], services=services), np.array([0])).tolist() == [1]
    assert unit_lengths(memory_of(["eight ch"], services=services), np.array([0])).tolist() == [2]


def test_no_unit_and_no_memory():
    assert unit_lengths(memory_of(["four"]), np.array([], np.int64)).tolist() == []
    assert unit_lengths(memory_of([]), np.array([], np.int64)).tolist() == []
