"""designsearch: find the memory design that works for an agent's own history.

Everything here is loaded when it is first used, so that ``import designsearch`` takes no time:

    from designsearch import Memory

    memory = Memory.open("design.yaml", "history.jsonl")
    print(memory.ask("When do we fly to Lisbon?").text)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from designsearch.api import diff, evaluate, load_design, validate
    from designsearch.dsl.problems import UserError
    from designsearch.hits import Answer, Hit
    from designsearch.ingesting import ingest
    from designsearch.memory import Memory
    from designsearch.search.supervision.settings import SupervisionSettings
    from designsearch.supervising import supervise

__all__ = [
    "Answer",
    "Hit",
    "Memory",
    "SupervisionSettings",
    "UserError",
    "diff",
    "evaluate",
    "ingest",
    "load_design",
    "supervise",
    "validate",
]

_HOME = {
    "Answer": "designsearch.hits",
    "Hit": "designsearch.hits",
    "Memory": "designsearch.memory",
    "SupervisionSettings": "designsearch.search.supervision.settings",
    "UserError": "designsearch.dsl.problems",
    "diff": "designsearch.api",
    "evaluate": "designsearch.api",
    "ingest": "designsearch.ingesting",
    "load_design": "designsearch.api",
    "supervise": "designsearch.supervising",
    "validate": "designsearch.api",
}


def __getattr__(name: str) -> Any:
    """Load a public name from its module when it is first asked for (PEP 562)."""
    if name == "__version__":
        from importlib.metadata import version

        return version("designsearch")
    if name not in _HOME:
        raise AttributeError(f"module 'designsearch' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return sorted({*globals(), *__all__, "__version__"})
