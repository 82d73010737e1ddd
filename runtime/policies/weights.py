"""The file of a learned policy: its weights by name, what it was trained with, and what it reached."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from designsearch.dsl.problems import UserError
from designsearch.runtime.exact_json import read_exact_json
from designsearch.runtime.feature_names import feature_of
from designsearch.runtime.policies.heads import DECIDE, GO_ON, RELATIVE
from designsearch.runtime.policies.queries import SOURCES
from designsearch.runtime.records import FloatArray

FORMAT = "designsearch-policy-1"
STOP = "stop"
DIGITS = 5
"""Significant digits that are written."""

LARGEST = 1e9
"""The largest weight that is read, so that sums of weighted features stay finite."""

KEYS = ("format", "about", "tokens", "selector", "pick", "go_on", "decide")

Named = dict[str, float]


@dataclass(frozen=True)
class Weights:
    """What a learned policy is.

    Attributes:
        tokens: tokens of source text that its notes have at most.
        selector: weight of each feature of a candidate in its score; those of RELATIVE may be among them.
        pick: what is added to the selector's weights when a candidate is picked; empty where nothing was learnt there.
        go_on: weight of each of GO_ON.
        decide: by source, and ``stop``: weight of each of DECIDE.
        about: what it was trained with and what it reached; no decision depends on it.
    """

    tokens: int
    selector: Named
    pick: Named = field(default_factory=dict)
    go_on: Named = field(default_factory=dict)
    decide: dict[str, Named] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def level(self) -> int:
        """Tokens of notes a question in the mean that it was trained for, else the most that it keeps."""
        told = self.about.get("tokens")
        return told if isinstance(told, int) and told > 0 else self.tokens

    @cached_property
    def features(self) -> tuple[str, ...]:
        """The features of candidates that are computed from question and unit."""
        return tuple(name for name in dict.fromkeys([*self.selector, *self.pick]) if name not in RELATIVE)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """All features of candidates, in order."""
        return (*self.features, *RELATIVE)

    @cached_property
    def selector_array(self) -> FloatArray:
        """Shape (columns,)."""
        return _array(self.columns, self.selector)

    @cached_property
    def pick_array(self) -> FloatArray:
        """Shape (columns,)."""
        return _array(self.columns, self.pick)

    @cached_property
    def go_on_array(self) -> FloatArray:
        """Shape (GO_ON,)."""
        return _array(GO_ON, self.go_on)

    @cached_property
    def decide_array(self) -> FloatArray:
        """Shape (sources + 1, DECIDE); ``stop`` is last."""
        return np.stack([_array(DECIDE, self.decide.get(name, {})) for name in (*SOURCES, STOP)])

    @cached_property
    def fingerprint(self) -> str:
        """Of all that decides."""
        said = json.dumps([self.tokens, self.selector, self.pick, self.go_on, self.decide], sort_keys=True)
        return hashlib.blake2b(said.encode(), digest_size=8).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, numbers rounded."""
        return {
            "format": FORMAT,
            "about": dict(self.about),
            "tokens": self.tokens,
            "selector": _rounded(self.selector),
            "pick": _rounded(self.pick),
            "go_on": _rounded(self.go_on),
            "decide": {name: _rounded(own) for name, own in self.decide.items()},
        }

    def text(self) -> str:
        """The file's text."""
        return json.dumps(self.to_json(), indent=2, ensure_ascii=False) + "\n"


def load_weights(path: Path) -> Weights:
    """Read a file of weights.

    Raises:
        UserError: it cannot be read, is no such file, says something twice, or names what there is not.
        InvalidFileError: it is not JSON.
    """
    found = read_exact_json(path)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise UserError(
            f'{path}: is no file of weights of a learned policy ("format": "{FORMAT}" is needed); `designsearch policy'
            " train` writes one"
        )
    tokens = found.get("tokens")
    if not isinstance(tokens, int) or isinstance(tokens, bool) or tokens < 1:
        raise UserError(f"{path}: tokens is {tokens!r}; a whole number above 0 is needed")
    if odd := sorted(found.keys() - set(KEYS)):
        raise UserError(f"{path}: unknown key {odd[0]} (the keys here are {', '.join(KEYS)})")
    decide = found.get("decide")
    if not isinstance(decide, dict):
        raise UserError(f"{path}: decide is no object of weights by source")
    about = found.get("about", {})
    if not isinstance(about, dict):
        raise UserError(f"{path}: about is no object")
    weights = Weights(
        tokens=tokens,
        selector=_named(path, "selector", found.get("selector"), None),
        pick=_named(path, "pick", found.get("pick", {}), None),
        go_on=_named(path, "go_on", found.get("go_on"), GO_ON),
        decide={name: _named(path, f"decide.{name}", own, DECIDE) for name, own in decide.items()},
        about=about,
    )
    unknown = sorted(set(weights.decide) - {*SOURCES, STOP})
    if unknown:
        raise UserError(f"{path}: decide.{unknown[0]}: there is no such source; known: {', '.join((*SOURCES, STOP))}")
    return weights


def _named(path: Path, place: str, found: object, known: Sequence[str] | None) -> Named:
    """Weights by name, checked."""
    if not isinstance(found, dict):
        raise UserError(f"{path}: {place} is no object of weights by name")
    for name, value in found.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
            raise UserError(f"{path}: {place}.{name} is no number from {-LARGEST:,.0f} to {LARGEST:,.0f}")
        if known is not None and name not in known:
            raise UserError(f"{path}: {place}.{name}: there is no such feature; known: {', '.join(known)}")
        if known is None and name not in RELATIVE:
            try:
                feature_of(name)
            except ValueError as error:
                raise UserError(f"{path}: {place}: {error}") from None
    return {name: float(value) for name, value in found.items()}


def _array(names: Sequence[str], weights: Mapping[str, float]) -> FloatArray:
    return np.array([weights.get(name, 0.0) for name in names], np.float64)


def _rounded(weights: Mapping[str, float]) -> Named:
    return {name: float(f"{value:.{DIGITS}g}") for name, value in weights.items()}
