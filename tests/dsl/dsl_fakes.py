"""A small registry of operators that do nothing, for tests of the design language."""

from __future__ import annotations

from typing import Any, Literal

from designsearch.dsl.operators import Branches, Cascade, Operator, Params, Registry, Stage, Tune, param


class NoParams(Params):
    """No parameters."""


class Turns(Params):
    roles: tuple[str, ...] = param((), about="Only turns of these roles; all where none is named.")


class Window(Params):
    before: int = param(1, about="Units before.", ge=0, le=10, tune=Tune(0, 5))
    after: int = param(1, about="Units after.", ge=0, le=10, tune=Tune(0, 5))


class Bm25(Params):
    view: str = param("raw", about="The view searched.")
    store: str | None = param(None, about="The store searched.")
    k: int = param(100, about="The most units found.", ge=1, le=10_000, tune=Tune(10, 1000, log=True))
    k1: float = param(1.2, about="How soon repeated terms stop counting.", ge=0, le=10, tune=Tune(0.5, 3))
    b: float = param(0.75, about="How much long texts are held back.", ge=0, le=1, tune=Tune(0, 1))
    variant: Literal["robertson", "lucene", "bm25+"] = param("lucene", about="Formula.", tune=True)


class Dense(Params):
    view: str = param("raw", about="The view searched.")
    store: str | None = param(None, about="The store searched.")
    k: int = param(100, about="The most units found.", ge=1, le=10_000)


class Rrf(Params):
    kappa: float = param(60, about="How little the first ranks stand out.", gt=0)


class Take(Params):
    k: int = param(about="How many units stay.", ge=1)


class MinScore(Params):
    value: float = param(about="The lowest score that stays.")


class Prf(Params):
    terms: int = param(10, about="Terms added.", ge=1)
    feedback: Cascade = param((), about="The cascade that finds the feedback units.")


class Branch(Params):
    branches: Branches = param(about="Sub-cascades, each with queries of its own.")
    fuse: Stage | None = param(None, about="What makes one ranking of theirs.")


class Score(Params):
    features: dict[str, float] = param(about="Weight of each feature.")


def _nothing(*_: Any) -> None:
    """Do nothing."""


_FAKES: tuple[tuple[Any, ...], ...] = (
    ("records", "units", NoParams),
    ("turns", "units", Turns),
    ("events", "units", NoParams, {"views": ("summary", "anchors")}),
    ("window", "view", Window),
    ("append", "write", NoParams),
    ("dedupe", "write", NoParams),
    ("keywords", "query", NoParams),
    ("prf", "query", Prf),
    ("bm25", "retrieve", Bm25, {"scale": "unscaled"}),
    ("dense", "retrieve", Dense, {"scale": "scaled"}),
    ("rrf", "fuse", Rrf, {"scale": "unscaled"}),
    ("best", "fuse", NoParams),
    ("take", "refine", Take),
    ("min_score", "refine", MinScore, {"needs_scale": True}),
    ("neighbors", "refine", Window),
    ("score", "refine", Score, {"scale": "unscaled"}),
    ("rerank", "refine", NoParams, {"scale": "scaled", "needs_model": True}),
    ("branch", "branch", Branch),
    ("recency", "feature", NoParams),
)


def fake_registry() -> Registry:
    """A registry of its own, so that no test sees another's."""
    registry = Registry()
    for name, stage, params, *rest in _FAKES:
        options = rest[0] if rest else {}
        registry.add(Operator(name, stage, params, _nothing, **options))
    return registry
