"""Vectors from the library sentence-transformers, through the extra ``[st]``."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.problems import UserError
from designsearch.runtime.indexes.static_embeddings import unit_rows
from designsearch.runtime.models.serving import extras
from designsearch.runtime.models.serving.local import file_fingerprint
from designsearch.runtime.models.settings import SENTENCE_TRANSFORMERS, ModelSettings, is_folder

BATCH = 32


class SentenceVectors:
    """Vectors from a model of sentence-transformers, on this machine.

    A folder is read from the disk and nothing else; a name is looked up by the library, which fetches what it lacks.

    Args:
        settings: of the embedder; its model is ``sentence-transformers/NAME`` or ``sentence-transformers/./FOLDER``.

    Raises:
        UserError: the library is not installed, or the folder is not there.
    """

    def __init__(self, settings: ModelSettings) -> None:
        named = settings.model.removeprefix(f"{SENTENCE_TRANSFORMERS}/")
        self._folder = Path(named).expanduser() if is_folder(named) else None
        self._named = named
        self._dimensions = settings.dimensions
        if not extras.installed(extras.SENTENCES_LIBRARY):
            raise UserError(
                f"models.embedder: {settings.model} needs a library that is not installed: {extras.SENTENCES_INSTALL}"
            )
        if self._folder is not None and not self._folder.is_dir():
            raise UserError(f"models.embedder: {settings.model} names a folder that is not there: {self._folder}")

    @property
    def fingerprint(self) -> str:
        """The name, and of a folder its files."""
        digest = hashlib.blake2b(digest_size=6)
        for file in sorted(self._folder.rglob("*")) if self._folder is not None else ():
            if file.is_file():
                digest.update(f"{file.relative_to(self._folder or file)} {file_fingerprint(file)}\n".encode())
        shown = f"{self._folder.name}#{digest.hexdigest()}" if self._folder is not None else self._named
        return f"{SENTENCE_TRANSFORMERS}/{shown}" + (f" {self._dimensions}d" if self._dimensions else "")

    def vectors(self, texts: Sequence[str], done: dict[str, NDArray[np.float32]]) -> None:
        """Enter the vector of each text in ``done``."""
        made = self._model.encode(list(texts), batch_size=BATCH, show_progress_bar=False, convert_to_numpy=True)
        done.update(zip(texts, unit_rows(np.asarray(made, np.float32)), strict=True))

    @property
    def longest(self) -> int:
        """Tokens that the model reads at once."""
        return int(self._model.max_seq_length or 512)

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import SentenceTransformer

        local = self._folder is not None
        try:
            return SentenceTransformer(
                str(self._folder) if local else self._named,
                device="cpu",
                local_files_only=local,
                truncate_dim=self._dimensions,
            )
        except (OSError, ValueError) as error:
            reason = str(error).strip().splitlines()[0]
            raise UserError(f"models.embedder: {self._named} cannot be loaded ({reason})") from None
