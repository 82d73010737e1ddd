"""A share of the bundles for questions of kinds that seldom come up unless they are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from designsearch.search.supervision.contracts import Draft, Generator, Material, Rejection


class SharedGenerator:
    """Gives each bundle to one of several generators; see :class:`~..contracts.Generator`.

    Which one depends on the bundle's own chance alone.

    Attributes:
        name: that of the generator that gets the rest.

    Args:
        rest: gets the bundles that no other gets.
        others: generators with the shares of the bundles that they get.
    """

    def __init__(self, rest: Generator, others: Mapping[Generator, float]) -> None:
        self._rest = rest
        self._others = {one: share for one, share in others.items() if share > 0}

    @property
    def name(self) -> str:
        """That of the generator that gets the rest."""
        return self._rest.name

    @property
    def fingerprint(self) -> str:
        """Of all generators and their shares."""
        shares = [f"{share:g} {one.name} {one.fingerprint}" for one, share in self._others.items()]
        return "; ".join([self._rest.fingerprint, *shares])

    def draft(self, materials: Sequence[Material]) -> list[Draft | Rejection]:
        """See :class:`~designsearch.search.supervision.contracts.Generator`; each generator gets its own together."""
        made: list[Draft | Rejection | None] = [None] * len(materials)
        chosen = [self._chosen(one) for one in materials]
        for generator in (self._rest, *self._others):
            own = [i for i, one in enumerate(chosen) if one is generator]
            if own:
                for i, draft in zip(own, generator.draft([materials[i] for i in own]), strict=True):
                    made[i] = draft
        return [one for one in made if one is not None]

    def _chosen(self, material: Material) -> Generator:
        left = float(np.random.default_rng([material.seed, 2]).random())
        for generator, share in self._others.items():
            left -= share
            if left < 0:
                return generator
        return self._rest
