"""Probabilities that a cross-encoder of the library sentence-transformers gives to candidates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from designsearch.dsl.file_digest import file_named
from designsearch.dsl.problems import UserError
from designsearch.runtime.memory import Memory
from designsearch.runtime.models.settings import is_folder
from designsearch.runtime.operators.refine.candidate_texts import Candidate
from designsearch.runtime.records import FloatArray, Queries

PAIRS = 32
"""Pairs that go through the model together."""


def probabilities(candidates: Sequence[Candidate], model: str, queries: Queries, m: Memory) -> FloatArray:
    """The sigmoid of the cross-encoder's logit for each pair of question and candidate.

    Args:
        candidates: what is read.
        model: its name at the hub; or a folder, which begins with ``.``, ``/`` or ``~`` and is seen from the
            design's file. A folder is read from this machine alone.
        queries: what was asked.
        m: the memory; its services hold the loaded model.

    Returns:
        Shape (candidates,), each in [0, 1].

    Raises:
        UserError: the extra is not installed, the model cannot be read, or it is no reranker.
    """
    if not candidates:
        return np.zeros(0)
    encoder, sigmoid = _encoder(model, m)
    pairs = [(queries.questions[c.question], c.text) for c in candidates]
    given = np.asarray(encoder.predict(pairs, batch_size=PAIRS, show_progress_bar=False, activation_fn=sigmoid))
    if given.shape != (len(candidates),):
        raise UserError(f"rerank: {model} gives {given.shape[-1]} numbers a pair; a reranker gives one")
    return np.nan_to_num(given.astype(np.float64), nan=0.0)


def check_folder(model: str, folder: Path) -> None:
    """Make sure that there is a folder with a model, as far as a look at it tells.

    Args:
        model: as the design names it.
        folder: where that is.

    Raises:
        UserError: there is none.
    """
    if not folder.is_dir():
        raise UserError(f"rerank: there is no folder {folder} with a cross-encoder (model: {model})")
    if not (folder / "config.json").is_file():
        raise UserError(f"rerank: the folder {folder} holds no cross-encoder: it has no config.json (model: {model})")


def _encoder(model: str, m: Memory) -> tuple[Any, Any]:
    if not is_folder(model):
        loaded: tuple[Any, Any] = m.services.cache.get(f"cross-encoder-{model}", lambda: _load(model, None))
        return loaded
    folder = file_named(model, m.design.base_dir).resolve()
    return m.named("cross-encoder", folder, lambda path: _load(model, path))


def _load(model: str, folder: Path | None) -> tuple[Any, Any]:
    """The model, and the function that makes probabilities of its logits, whatever it would do by itself."""
    try:
        from sentence_transformers import CrossEncoder
        from torch import nn
    except ImportError as error:
        raise UserError("rerank by: cross_encoder needs an extra: pip install 'designsearch[st]'") from error
    if folder is not None:
        check_folder(model, folder)
    try:
        encoder = CrossEncoder(model) if folder is None else CrossEncoder(str(folder), local_files_only=True)
    except (OSError, ValueError, RuntimeError) as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise UserError(f"rerank: cannot load the cross-encoder {model}: {reason}") from error
    return encoder, nn.Sigmoid()
