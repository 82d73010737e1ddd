import os
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parents[2] / "golden" / "models"


@pytest.fixture
def golden():
    """Compare a text with a golden file (``UPDATE_GOLDEN=1`` writes it instead)."""

    def check(name, text):
        file = GOLDEN / f"{name}.txt"
        if os.environ.get("UPDATE_GOLDEN"):
            GOLDEN.mkdir(exist_ok=True)
            file.write_text(text + "\n", encoding="utf-8")
        assert text + "\n" == file.read_text(encoding="utf-8")

    return check
