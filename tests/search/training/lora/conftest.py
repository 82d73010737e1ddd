"""A tiny random model for the tests of training; where its libraries are not installed they are skipped."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for tiny_model

NEEDED = ("torch", "transformers", "peft")


@pytest.fixture
def tiny():
    """The module that makes tiny models."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        pytest.skip(f"needs the extra designsearch[train]: {', '.join(missing)} is not installed")
    import tiny_model

    return tiny_model
