from pathlib import Path

import numpy as np
import pytest
import wordllama

from designsearch.runtime.indexes import static_embeddings
from designsearch.runtime.indexes.static_embeddings import StaticEmbedder, token_ids, unit_rows

TEXTS = [
    "I bought a red kayak",
    "the meeting moved to Friday",
    "我喜欢绿茶",
    "😀 party",
    "a " * 700,
    "मुझे हिन्दी पसंद है",
    " ",
]


@pytest.fixture(scope="module")
def reference():
    return wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)


def test_vectors_are_those_of_wordllama(reference):
    expected = np.concatenate([reference.embed([text], norm=True) for text in TEXTS])
    assert StaticEmbedder().embed(TEXTS) == pytest.approx(expected, abs=1e-5)


def test_unit_length_and_zero_for_a_text_without_tokens():
    vectors = StaticEmbedder().embed(["tea", "", "cat"])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 1], abs=1e-6)
    assert vectors.dtype == np.float32
    assert StaticEmbedder().embed([]).shape == (0, 256)


def test_equal_texts_have_equal_vectors_whatever_stands_beside_them():
    alone = StaticEmbedder().embed(["tea with milk"])[0]
    among = StaticEmbedder().embed(["cat", "tea with milk", "x " * 90, "tea with milk"])
    assert np.array_equal(alone, among[1])
    assert np.array_equal(alone, among[3])


def test_a_very_long_text_is_taken_part_by_part(monkeypatch):
    text = " ".join(TEXTS[:3])
    whole = StaticEmbedder().embed([text])
    monkeypatch.setattr(static_embeddings, "LONG", 4)
    assert StaticEmbedder().embed([text]) == pytest.approx(whole, abs=1e-6)


def test_lone_surrogates_are_read_as_unknown_characters():
    assert token_ids(["a \ud800 b"]) == token_ids(["a ? b"])


def test_unit_rows():
    scaled = unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]], np.float32))
    assert scaled == pytest.approx(np.array([[0.6, 0.8], [0.0, 0.0]]))
