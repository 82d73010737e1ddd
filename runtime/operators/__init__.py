"""The operators, one a file; ``load_all`` imports them so that they register."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from designsearch.dsl.operators import REGISTRY, Registry


@cache
def load_all() -> Registry:
    """Import every module below this package and return the filled registry."""
    for module in walk_packages(__path__, __name__ + "."):
        import_module(module.name)
    return REGISTRY
