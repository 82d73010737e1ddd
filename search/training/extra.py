"""The packages of the extra ``train``: whether they are there."""

from __future__ import annotations

from importlib.util import find_spec

from designsearch.dsl.problems import UserError

INSTALL = "pip install 'designsearch[train]'"


def need(library: str) -> None:
    """Make sure that a library can be imported.

    Raises:
        UserError: it is not installed.
    """
    if find_spec(library) is None:
        raise UserError(f"{library} is not installed: {INSTALL}")
