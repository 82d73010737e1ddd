"""Which parts of a design cannot run without a model."""

from __future__ import annotations

from collections.abc import Iterator

from designsearch.dsl.design import Design
from designsearch.dsl.operators import Stage
from designsearch.dsl.paths import Path
from designsearch.dsl.problems import Problem
from designsearch.dsl.source import scan

REMEDY = "add to the study models: {helper: {model: NAME, base_url: URL}}, or give a file of models with --models"


def stages_of(design: Design) -> Iterator[tuple[Path, Stage]]:
    """Every stage of a design with its place, those inside others too, in the order written."""
    for name, store in design.stores.items():
        base: Path = ("storage",) if not _has_stores(design) else ("storage", "stores", name)
        for key, stage in (("units", store.units), ("write", store.write)):
            if stage is not None:
                yield from _with_inner((*base, key), stage)
        for view, stage in store.views.items():
            yield from _with_inner((*base, "views", view), stage)
    for i, stage in enumerate(design.retrieval):
        yield from _with_inner(("retrieval", i), stage)


def _has_stores(design: Design) -> bool:
    storage = scan(design.text).value.get("storage") if design.text else None
    return isinstance(storage, dict) and "stores" in storage


def _with_inner(path: Path, stage: Stage) -> Iterator[tuple[Path, Stage]]:
    yield path, stage
    for place, inner in stage.inner():
        yield from _with_inner((*path, *place), inner)


def model_needs(design: Design) -> list[tuple[Path, str]]:
    """The places that need a model, each with what needs it there; empty where the design runs without."""
    found = [(path, stage.op) for path, stage in stages_of(design) if stage.needs_model]
    if design.answer.check is not None:
        found.append((("answer", "check"), "answer.check"))
    return found


def asks_to_search(design: Design) -> bool:
    """Whether a model is asked for each question that is searched for."""
    return any(path[0] == "retrieval" for path, _ in model_needs(design))


def unmet_needs(design: Design) -> list[Problem]:
    """One problem a place that needs a model, for whoever has none to offer."""
    source = scan(design.text, design.file)
    return [
        source.problem(path, f"{name} needs a model for the role helper", REMEDY) for path, name in model_needs(design)
    ]
