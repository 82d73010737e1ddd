import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for dsl_fakes, which other folders share

from dsl_fakes import fake_registry

from designsearch.dsl.problems import InvalidFileError
from designsearch.dsl.validate import load_design

GOLDEN = Path(__file__).parents[1] / "golden" / "dsl"


@pytest.fixture(scope="session")
def registry():
    return fake_registry()


@pytest.fixture
def load(registry):
    """Load a design from its text."""
    return lambda text, **more: load_design(text, "d.yaml", registry, **more)


@pytest.fixture
def complaints(registry):
    """The headlines of all problems of a design's text, without the file's name."""

    def headlines(text):
        try:
            load_design(text, "d.yaml", registry)
        except InvalidFileError as error:
            return [problem.headline().removeprefix("d.yaml:") for problem in error.problems]
        return []

    return headlines


@pytest.fixture
def golden():
    """Compare a text with a golden file (``UPDATE_GOLDEN=1`` writes it instead)."""

    def check(name, text):
        path = GOLDEN / f"{name}.txt"
        if os.environ.get("UPDATE_GOLDEN"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n", encoding="utf-8")
        assert text + "\n" == path.read_text(encoding="utf-8")

    return check
