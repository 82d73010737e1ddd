"""The bundled static embeddings and the default token counter, from the files inside the wordllama package.

A text's vector is the mean of its tokens' vectors (wordllama, 256 dimensions, mean pooling), scaled to unit length. It
is computed here straight from the token matrix in one vectorised pass without padding, so that long and short texts mix
freely; the values equal wordllama's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
BATCH = 4096
"""Texts that are tokenised together."""

LONG = 16_384
"""Tokens whose vectors are held together."""


def _package_file(relative: str) -> Path:
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("wordllama is not installed; install designsearch with its dependencies")
    return Path(spec.origin).parent / relative


@cache
def tokenizer() -> Any:
    """The bundled tokenizer, without padding and without truncation."""
    from tokenizers import Tokenizer

    loaded = Tokenizer.from_file(str(_package_file("tokenizers/l2_supercat_tokenizer_config.json")))
    loaded.no_padding()
    loaded.no_truncation()
    return loaded


@cache
def token_matrix() -> Vectors:
    """Shape (tokens, 256): one vector a token."""
    from safetensors.numpy import load_file

    weights = load_file(str(_package_file("weights/l2_supercat_256.safetensors")))
    return np.ascontiguousarray(weights["embedding.weight"], dtype=np.float32)


def well_formed(text: str) -> str:
    """The text with lone surrogates replaced, which the tokenizer refuses."""
    return text.encode("utf-8", "replace").decode("utf-8")


def token_ids(texts: Sequence[str]) -> list[list[int]]:
    """Token numbers of each text, no special tokens."""
    safe = [text if text.isascii() else well_formed(text) for text in texts]
    return [encoding.ids for encoding in tokenizer().encode_batch_fast(safe, add_special_tokens=False)]


def unit_rows(vectors: Vectors) -> Vectors:
    """Each row scaled to unit length; a zero row stays as it is."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled = np.zeros_like(vectors)
    np.divide(vectors, norms, out=scaled, where=norms > 0)
    return scaled


def _mean(matrix: Vectors, tokens: list[int]) -> Vectors:
    """The mean of the tokens' vectors; of a very long text it is taken part by part."""
    if len(tokens) <= LONG:
        short: Vectors = matrix[tokens].mean(axis=0)
        return short
    total = np.zeros(matrix.shape[1], np.float64)
    for start in range(0, len(tokens), LONG):
        total += matrix[tokens[start : start + LONG]].sum(axis=0, dtype=np.float64)
    return (total / len(tokens)).astype(np.float32)


class StaticEmbedder:
    """The embedder that needs no model, no key and no network."""

    name = "static"
    dimensions = 256
    fingerprint = "wordllama-l2-supercat-256"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (texts, 256), unit length; a zero row for a text without tokens."""
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        place = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        distinct = list(place)
        rows = np.concatenate([self._batch(distinct[i : i + BATCH]) for i in range(0, len(distinct), BATCH)])
        return rows if len(distinct) == len(texts) else rows[[place[text] for text in texts]]

    def _batch(self, texts: Sequence[str]) -> Vectors:
        ids = token_ids(texts)
        out = np.zeros((len(ids), self.dimensions), np.float32)
        matrix = token_matrix()
        for i, row in enumerate(ids):
            if row:
                out[i] = _mean(matrix, row)
        return unit_rows(out)
