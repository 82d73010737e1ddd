"""The interface behind which every embedder stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """Texts to vectors.

    Attributes:
        name: the name that designs and studies use.
        fingerprint: changes whenever the vectors do.
        dimensions: length of a vector.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def fingerprint(self) -> str: ...  # noqa: D102

    @property
    def dimensions(self) -> int: ...  # noqa: D102

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (texts, dimensions), unit length; a zero row for a text without content."""
        ...
