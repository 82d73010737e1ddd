import json
from pathlib import Path

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from designsearch.runtime.indexes.lexical import tokenize
from designsearch.runtime.indexes.okapi import OkapiIndex

VECTORS = Path(__file__).parents[2] / "reference" / "vectors.json"
CASE = json.loads(VECTORS.read_text(encoding="utf-8"))["bm25_okapi"]


def index_of(texts, k1=1.5, b=0.75):
    return OkapiIndex(tokenize(texts, "none", "none"), k1, b)


@pytest.mark.parametrize("query", list(CASE["scores"]))
def test_exact_values(query):
    index = index_of(CASE["docs"], CASE["k1"], CASE["b"])
    assert index.scores([(t, 1.0) for t in query.split()]) == pytest.approx(CASE["scores"][query], rel=1e-6)


def test_scores_are_those_of_rank_bm25():
    texts = ["tea cat", "tea tea soup", "kayak river", "soup cat kayak cat", "berlin", "tram"]
    model = BM25Okapi([t.split() for t in texts])
    for query in ("cat", "tea soup", "kayak kayak river"):
        expected = model.get_scores(query.split())
        assert index_of(texts).scores([(t, 1.0) for t in query.split()]) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("texts", [["lentil soup", "tram ticket"], ["lentil a", "lentil b", "lentil c", "tram ticket"]])
def test_what_matches_is_above_what_does_not_even_with_a_negative_frequency(texts):
    scores = index_of(texts).scores([("lentil", 1.0)])
    assert all((score > 0) == ("lentil" in text) for score, text in zip(scores, texts, strict=True))


@pytest.mark.parametrize("texts", [[], [""], ["", "?!"]])
def test_nothing_to_search(texts):
    index = index_of(texts)
    assert index.scores([("tea", 1.0)]).tolist() == [0.0] * len(texts)
    assert index.document_frequency("tea") == 0


def test_document_frequencies():
    index = index_of(["tea tea cat", "cat", ""])
    assert [index.document_frequency(t) for t in ("tea", "cat", "dog")] == [1, 2, 0]
    assert np.array_equal(index.texts_with("cat"), [0, 1])
