import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_episodes import episode, note, search

from designsearch.runtime.episodes.states import Add, Skip, Stop
from designsearch.search.training.data.diversity import diverse, representatives, said


def unit(rows):
    rows = np.asarray(rows, np.float64)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@given(st.integers(0, 2**31), st.integers(0, 40), st.integers(1, 12), st.floats(0.5, 1.01))
@settings(max_examples=60)
def test_few_remain_and_none_of_them_is_near_another(seed, count, most, near):
    vectors = unit(np.random.default_rng(seed).normal(size=(count, 5))) if count else np.zeros((0, 5))
    kept = representatives(vectors, near, most)
    assert kept == sorted(set(kept))
    assert len(kept) <= most
    assert bool(kept) == bool(count)
    cosines = vectors[kept] @ vectors[kept].T
    assert all(cosines[i, j] < near for i in range(len(kept)) for j in range(i))


def test_of_near_duplicates_the_first_stays():
    assert representatives(unit([[1, 0], [1, 0.001], [0, 1], [1, 0]])) == [0, 2]


def test_each_cluster_gives_its_central_member():
    vectors = unit([[1, 0.3], [1, 0.0], [1, -0.3], [0, 1]])
    assert representatives(vectors, near=1.01, most=2) == [1, 3]


def test_vectors_without_content_are_no_duplicates_of_others():
    assert representatives(np.array([[0.0, 0.0], [1.0, 0.0]])) == [0, 1]


def test_at_least_one_must_be_kept():
    with pytest.raises(ValueError, match="at least 1"):
        representatives(np.zeros((2, 2)), most=0)


def test_what_an_episode_says(held):
    taken = episode(search("ferry", 0, 1), Add((note(held, 0),)), search("rent", 4), Skip(), Stop())
    assert said(taken, held) == ("search: ferry\nnote: The ferry to Texel leaves at 9:30.\nsearch: rent\nskip\nstop")


def test_equal_episodes_are_kept_once(held):
    one = episode(search("ferry", 0), Add((note(held, 0),)), Stop())
    other = episode(search("dog", 2), Add((note(held, 2),)), Stop())
    assert diverse([one, one, other, one], held, held.services.embedder) == [0, 2]
