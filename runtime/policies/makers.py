"""The policies by name: what a design may name, and how each is made for a batch."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Literal, Protocol

from designsearch.dsl.problems import UserError
from designsearch.runtime.policies.rollout import Policy, World

PolicyName = Literal["rules", "learned", "llm"]
"""The policies that a design may name."""

MODULES: dict[PolicyName, str] = {
    "rules": "designsearch.runtime.policies.rules",
    "learned": "designsearch.runtime.policies.learned",
    "llm": "designsearch.runtime.policies.llm",
}
"""Where the maker of each stands: a function ``make``, a :class:`Maker`; imported when the policy is asked for."""


class Maker(Protocol):
    """Makes a policy for a world."""

    def __call__(self, world: World, weights: Path | None) -> Policy:
        """The policy.

        Args:
            world: the questions, the memory and the inner cascade that it will decide for.
            weights: the file or folder that the design names, resolved; ``None`` where it names none.

        Raises:
            UserError: it cannot be made: weights are missing or cannot be read, an extra is not installed.
        """
        ...


def make_policy(name: PolicyName, world: World, weights: Path | None = None) -> Policy:
    """The policy of that name for a world.

    Raises:
        UserError: there is none of that name, or it cannot be made.
    """
    if name not in MODULES:
        raise UserError(f"policy: there is no policy {name}; the policies are {', '.join(MODULES)}")
    maker: Maker = import_module(MODULES[name]).make
    return maker(world, weights)
