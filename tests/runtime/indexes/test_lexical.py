import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.indexes.lexical import LexicalIndex, best, tokenize

WORDS = "tea kayak river soup tram cat moved berlin".split()
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), min_size=1, max_size=12)


def index_of(texts, variant="lucene", k1=1.5, b=0.75, stem="none", stopwords="none"):
    return LexicalIndex(tokenize(texts, stem, stopwords), variant, k1, b)


def test_tokenize():
    corpus = tokenize(["Running kayaks ran", "", "the kayak", "Running kayaks ran"], "english", "english")
    assert list(corpus.vocabulary) == ["run", "kayak", "ran"]
    assert corpus.tokens.tolist() == [0, 1, 2, 1, 0, 1, 2]
    assert corpus.offsets.tolist() == [0, 3, 3, 4, 7]
    assert corpus.lengths.tolist() == [3, 0, 1, 3]
    assert corpus.first.tolist() == [0, 1, 2, 0]
    texts, tokens = corpus.distinct()
    assert (texts.tolist(), tokens.tolist()) == ([0, 0, 0, 2], [0, 1, 2, 1])


@given(TEXTS, st.lists(st.sampled_from(WORDS), max_size=5), st.sampled_from(["lucene", "robertson", "atire"]))
def test_scores_are_those_of_bm25s(texts, query, variant):
    index = index_of(texts, variant)
    if not index.vocabulary:
        assert index.scores([(t, 1.0) for t in query]).tolist() == [0.0] * len(texts)
        return
    model = bm25s.BM25(method=variant, k1=1.5, b=0.75)
    model.index([text.split() for text in texts], show_progress=False)
    known = [t for t in query if t in index.vocabulary]
    expected = model.get_scores(known) if known else np.zeros(len(texts))
    assert index.scores([(t, 1.0) for t in query]) == pytest.approx(expected, rel=1e-6, abs=1e-5)


@pytest.mark.parametrize("variant", ["lucene", "robertson", "atire", "bm25l", "bm25+"])
@pytest.mark.parametrize("texts", [["lentil soup", "tram ticket"], ["lentil soup", "lentil bread", "tram", "ticket"]])
def test_a_word_in_half_of_the_texts_still_tells_them_apart(variant, texts):
    scores = index_of(texts, variant).scores([("lentil", 1.0)])
    matching = np.array(["lentil" in text for text in texts])
    assert scores[matching].min() > scores[~matching].max()


@pytest.mark.parametrize("variant", ["bm25l", "bm25+"])
def test_variants_that_score_absence_too_are_counted_from_a_text_without_the_terms(variant):
    texts = ["tea cat", "tea tea soup", "kayak river", "soup cat kayak cat", "berlin"]
    model = bm25s.BM25(method=variant, k1=1.5, b=0.75)
    model.index([text.split() for text in texts], show_progress=False)
    expected = model.get_scores(["tea", "cat"])
    scores = index_of(texts, variant).scores([("tea", 1.0), ("cat", 1.0)])
    assert scores == pytest.approx(expected - expected[-1], abs=1e-5)


def test_weights_multiply():
    index = index_of(["tea tea cat", "cat"])
    once, tea, cat = (index.scores(q) for q in ([("tea", 2.0), ("cat", 0.5)], [("tea", 1.0)], [("cat", 1.0)]))
    assert once == pytest.approx(2 * tea + 0.5 * cat)


def test_document_frequencies():
    index = index_of(["tea tea cat", "cat", ""])
    assert [index.document_frequency(t) for t in ("tea", "cat", "dog")] == [1, 2, 0]


@pytest.mark.parametrize("texts", [[], [""], ["", "?!"]])
def test_nothing_to_search(texts):
    index = index_of(texts)
    assert index.size == len(texts)
    assert index.scores([("tea", 1.0)]).tolist() == [0.0] * len(texts)
    assert index.document_frequency("tea") == 0


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), max_size=12), st.integers(1, 15))
def test_best_are_the_highest_ties_by_id(scores, k):
    ids, values = best(np.array(scores, np.float32), k)
    expected = sorted((i for i, s in enumerate(scores) if s > 0), key=lambda i: (-scores[i], i))[:k]
    assert ids.tolist() == expected
    assert values.tolist() == [scores[i] for i in expected]
