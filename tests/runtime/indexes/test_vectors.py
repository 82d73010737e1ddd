import numpy as np
import pytest

from designsearch.dsl.problems import CannotContinueError
from designsearch.runtime.indexes import vectors
from designsearch.runtime.indexes.static_embeddings import unit_rows
from designsearch.runtime.indexes.vectors import VectorIndex


def random_units(n, dimensions=16, seed=0):
    return unit_rows(np.random.default_rng(seed).normal(size=(n, dimensions)).astype(np.float32))


def test_nearest_by_cosine():
    texts, queries = random_units(30), random_units(4, seed=1)
    found = VectorIndex(texts).search(queries, 5)
    for q in range(4):
        cosines = texts @ queries[q]
        ids, scores = found.of_question(q)
        assert ids.tolist() == np.argsort(-cosines)[:5].tolist()
        assert scores == pytest.approx(np.sort(cosines)[::-1][:5], abs=1e-6)


def test_negative_cosines_are_ranked_too():
    texts = np.array([[1, 0], [-1, 0], [0, 1]], np.float32)
    ids, scores = VectorIndex(texts).search(np.array([[1, 0]], np.float32), 9).of_question(0)
    assert (ids.tolist(), scores.tolist()) == ([0, 2, 1], [1.0, 0.0, -1.0])


def test_zero_vectors_never_match():
    texts = np.array([[0, 0], [-1, 0], [0, 0]], np.float32)
    found = VectorIndex(texts).search(np.array([[1, 0], [0, 0]], np.float32), 3, base=10)
    assert found.offsets.tolist() == [0, 1, 1]
    assert found.ids.tolist() == [11]


@pytest.mark.parametrize("n", [0, 1])
def test_small_stores(n):
    assert VectorIndex(random_units(n)).search(random_units(2, seed=1), 5).sizes.tolist() == [n, n]


def test_equal_texts_tie_by_id():
    rows = random_units(40)
    texts = np.concatenate([rows, rows, rows])
    ids, scores = VectorIndex(texts).search(random_units(1, seed=2), 120).of_question(0)
    assert np.unique(scores).size == 40
    assert (np.lexsort((ids, -scores)) == np.arange(120)).all()


def test_blocks_change_nothing(monkeypatch):
    texts, queries = random_units(50), random_units(7, seed=3)
    whole = VectorIndex(texts).search(queries, 11)
    monkeypatch.setattr(vectors, "BLOCK", 100)
    monkeypatch.setattr(vectors, "ROWS", 8)
    parts = VectorIndex(texts).search(queries, 11)
    assert np.array_equal(whole.ids, parts.ids)
    assert np.array_equal(whole.scores, parts.scores)


def test_queries_of_another_length_are_refused():
    with pytest.raises(CannotContinueError, match="vectors of 7 numbers for questions, and gave vectors of 16"):
        VectorIndex(random_units(3)).search(random_units(2, 7), 5)
