import numpy as np
import pytest

from designsearch.runtime.operators.retrieve.combine import combine

LISTS = [(np.array([3, 1]), np.array([2.0, 1.0])), (np.array([1, 2]), np.array([5.0, 4.0]))]


@pytest.mark.parametrize(
    ("how", "ids", "scores"),
    [
        ("sum", [1, 2, 3], [6.0, 4.0, 2.0]),
        ("max", [1, 2, 3], [5.0, 4.0, 2.0]),
        ("rrf", [1, 3, 2], [1 / 61 + 1 / 62, 1 / 61, 1 / 62]),
    ],
)
def test_combine(how, ids, scores):
    found, values = combine(how, LISTS, 9)
    assert found.tolist() == ids
    assert values.tolist() == pytest.approx(scores)
    assert combine(how, LISTS, 1)[0].tolist() == ids[:1]


def test_ties_break_by_id_and_nothing_gives_nothing():
    assert combine("max", [(np.array([9, 4]), np.array([1.0, 1.0]))], 5)[0].tolist() == [4, 9]
    assert [a.tolist() for a in combine("sum", [], 5)] == [[], []]
