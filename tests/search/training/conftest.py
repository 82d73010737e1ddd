"""What the tests of training share."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for small_episodes, which several test files share

import small_episodes


@pytest.fixture(scope="session")
def vectors():
    """Exact values that a right implementation reproduces, by formula."""
    return json.loads((Path(__file__).parents[2] / "reference" / "vectors.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def held():
    """The memory that the small episodes search."""
    return small_episodes.memory()
