"""How many questions each part gets, and which records may be asked about."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.problems import UserError, nearest
from designsearch.runtime.records import History
from designsearch.search.apportion import apportion
from designsearch.search.supervision.settings import Asked

ASSISTANT = "assistant"
"""The role that mostly repeats what it was told."""

SYSTEM = "system"
"""The role of lines that a program wrote, as that somebody joined, and of instructions to an assistant."""


def counts_of(count: int, shares: Mapping[str, float]) -> dict[str, int]:
    """Number of questions by part, in proportion to the shares, at least 1 each.

    Raises:
        UserError: there are fewer questions than parts.
    """
    named = {part: share for part, share in shares.items() if share > 0}
    if count < len(named):
        raise UserError(
            f"count: {count} {'question' if count == 1 else 'questions'} cannot be divided into {len(named)} parts "
            f"({', '.join(named)}); ask for {len(named)} or more"
        )
    return apportion(count, named)


def asked_of(history: History, asked: Asked) -> Asked:
    """When a history's questions are asked: ``auto`` becomes ``after`` where it has an assistant, else ``end``."""
    if asked != "auto":
        return asked
    return "after" if has_assistant(history) else "end"


def has_assistant(history: History) -> bool:
    """Whether some record of a history is an assistant's."""
    return ASSISTANT in {history.roles.names[code] for code in set(history.roles.codes.tolist())}


def of_program(history: History) -> NDArray[np.bool_]:
    """Shape (records,): which records nobody said."""
    system = np.array([name == SYSTEM for name in history.roles.names], bool)
    mask: NDArray[np.bool_] = system[history.roles.codes] if len(system) else np.zeros(len(history), bool)
    return mask


def askable(history: History, roles: tuple[str, ...] | None) -> NDArray[np.bool_]:
    """Shape (records,): which records may be asked about, by who says them.

    Args:
        history: the records.
        roles: the roles to ask about; ``None``: all but assistant and system, where the history has others.

    Raises:
        UserError: the history has no such role.
    """
    names = history.roles.names
    if roles is None:
        roles = tuple(name for name in names if name not in (ASSISTANT, SYSTEM)) or names
    for role in roles:
        if role not in names:
            listed = ", ".join(name or "(none)" for name in names) or "none at all"
            hint = nearest(role, names)
            raise UserError(
                f"roles: history {history.name!r} has no role {role!r}"
                + (f"; {hint}" if hint else "")
                + f" (it has: {listed})"
            )
    allowed = np.array([name in roles for name in names], bool)
    mask: NDArray[np.bool_] = allowed[history.roles.codes] if len(names) else np.zeros(len(history), bool)
    return mask
