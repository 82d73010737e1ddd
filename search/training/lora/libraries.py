"""Whether the libraries are there that training a language model takes."""

from __future__ import annotations

from importlib.util import find_spec

from designsearch.dsl.problems import UserError

LIBRARIES = ("torch", "transformers", "peft")
INSTALL = "pip install 'designsearch[train]'"


def need_libraries() -> None:
    """Say which libraries are missing, if any; nothing is imported.

    Raises:
        UserError: one is missing.
    """
    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        raise UserError(f"training a language model needs {', '.join(missing)}: {INSTALL}")
