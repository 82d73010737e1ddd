"""What the tests of training share."""

import json
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def vectors():
    """Exact values that a right implementation reproduces, by formula."""
    return json.loads((Path(__file__).parents[2] / "reference" / "vectors.json").read_text(encoding="utf-8"))
