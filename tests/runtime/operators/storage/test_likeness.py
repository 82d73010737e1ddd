"""Cosines with what entered before."""

from __future__ import annotations

import numpy as np
import pytest

from designsearch.runtime.operators.storage import likeness
from designsearch.runtime.operators.storage.likeness import Likeness, nearest


def unit_vectors(size, seed=0):
    made = np.random.default_rng(seed).normal(size=(size, 8))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize("rows", [1, 3, 100])
def test_they_do_not_depend_on_how_many_are_worked_out_at_a_time(rows, monkeypatch):
    monkeypatch.setattr(likeness, "ROWS", rows)
    vectors = unit_vectors(20)
    vectors[4] = 0
    made = Likeness(vectors)
    current = vectors.astype(np.float64)
    for unit in range(20):
        expected = (current[:unit] @ current[unit]).astype(np.float32)
        expected[[i for i in range(unit) if not current[i].any() or not current[unit].any()]] = -np.inf
        assert made.with_units(unit, slice(unit)).tolist() == expected.tolist()
        assert made.with_units(unit, slice(unit // 2, unit)).tolist() == expected[unit // 2 :].tolist()
        if unit % 5 == 3:
            new = unit_vectors(1, seed=unit)[0]
            made.replace(unit - 2, new)
            current[unit - 2] = new


def test_nearest_first_and_ties_by_place():
    cosines = np.array([0.5, 0.9, -np.inf, 0.5, 0.4999], np.float32)
    assert nearest(cosines, 0.5, 5).tolist() == [1, 0, 3]
    assert nearest(cosines, 0.5, 2).tolist() == [1, 0]
    assert nearest(cosines, 0.95, 2).tolist() == []
    assert nearest(cosines, -1, 9).tolist() == [1, 0, 3, 4]
    assert nearest(np.zeros(0, np.float32), 0.5, 2).tolist() == []
    some = np.array([True, False, True, False, True])
    assert nearest(cosines, -1, 9, some).tolist() == [0, 4]
    assert nearest(cosines, -1, 1, some).tolist() == [0]


def test_an_empty_text_may_be_given_words_and_lose_them_again():
    vectors = unit_vectors(4)
    vectors[1] = 0
    made = Likeness(vectors)
    assert made.with_units(3, slice(1, 2)).tolist() == [-np.inf]
    made.replace(1, unit_vectors(1, seed=7)[0])
    assert made.with_units(3, slice(1, 2)).tolist() == [
        np.float32(unit_vectors(1, seed=7)[0].astype(float) @ vectors[3].astype(float))
    ]
    made.replace(1, np.zeros(8, np.float32))
    assert made.with_units(3, slice(1, 2)).tolist() == [-np.inf]
