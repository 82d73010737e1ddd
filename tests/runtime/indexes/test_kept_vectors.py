import numpy as np
from numpy.testing import assert_array_equal

from designsearch.runtime.indexes.kept_vectors import FEW, KeptVectors


class Counting:
    """Vectors that tell a text by its length; counts the texts that it embedded."""

    name = fingerprint = "counting"
    dimensions = 2

    def __init__(self):
        self.seen = []

    def embed(self, texts):
        self.seen += texts
        return np.array([[len(text), 1.0] for text in texts], np.float32).reshape(len(texts), 2)


def texts(count, word="text"):
    return [f"{word} {'x' * n}" for n in range(count)]


def test_what_was_embedded_before_is_kept():
    inner = Counting()
    kept = KeptVectors(inner)
    first = kept.embed(texts(FEW))
    assert_array_equal(first, Counting().embed(texts(FEW)))
    kept.age()
    more = [*texts(FEW), "new", "new"]
    assert_array_equal(kept.embed(more), Counting().embed(more))
    assert inner.seen == [*texts(FEW), "new"]


def test_what_is_not_asked_for_again_is_dropped():
    inner = Counting()
    kept = KeptVectors(inner)
    kept.embed(texts(FEW))
    kept.age()
    kept.embed(texts(FEW, "other"))
    kept.age()
    inner.seen.clear()
    kept.embed(texts(FEW))
    assert inner.seen == texts(FEW)


def test_a_question_is_not_kept():
    inner = Counting()
    kept = KeptVectors(inner)
    kept.embed(["why?"])
    kept.embed(["why?"])
    assert inner.seen == ["why?", "why?"]
    assert kept.embed([]).shape == (0, 2)


def test_what_is_old_can_be_dropped_at_once():
    inner = Counting()
    kept = KeptVectors(inner)
    kept.embed(texts(FEW + 1))
    kept.age()
    kept.embed(texts(FEW))
    kept.drop_old()
    inner.seen.clear()
    kept.embed(texts(FEW + 1))
    assert inner.seen == texts(FEW + 1)[FEW:]


def test_it_passes_for_the_embedder_inside():
    kept = KeptVectors(Counting())
    assert (kept.name, kept.fingerprint, kept.dimensions) == ("counting", "counting", 2)
