"""The pages about operators and features."""

from __future__ import annotations

from collections.abc import Iterator

from designsearch.dsl.operator_facts import in_order, parameters
from designsearch.dsl.operators import Operator, Registry
from designsearch.reference.markdown import code, default, page, prose, table

INTRODUCTION = (
    "What a design may be made of, in the order of a design. A parameter with an entry under *a search tries* is one "
    "that a study may turn. `designsearch ops NAME` shows the same on the command line."
)
FEATURES = (
    "What the `score` stage can weigh, as in `{op: score, features: {bm25: 0.4, cosine.window: 0.4}}`. A feature that "
    "reads a view reads `raw` unless another one is named after a dot. Each is normalised within the question's "
    "candidates."
)


def operators_page(registry: Registry) -> str:
    """All operators but the features."""
    blocks = []
    for title, operators in in_order(registry):
        if operators[0].stage != "feature":
            blocks += [f"## {title}", *(block for op in operators for block in _operator(op))]
    return page("Operators", INTRODUCTION, *blocks)


def features_page(registry: Registry) -> str:
    """The features."""
    rows = [
        (code(op.name), "yes" if "view" in op.params.model_fields else "", prose(op.doc))
        for op in registry
        if op.stage == "feature"
    ]
    return page("Features", FEATURES, table(["feature", "reads a view", "what it is"], rows))


def _operator(op: Operator) -> Iterator[str]:
    yield f"### {op.name}"
    yield prose(op.doc)
    if op.needs_model:
        yield f"Needs a model for the role `helper`{' with some of its settings' if op.works_alone else ''}."
    if op.views:
        yield f"Brings the views {', '.join(map(code, op.views))}."
    facts = parameters(op)
    if facts:
        rows = [(code(f.name), f.type, default(f), f.tuned, f.about) for f in facts]
        yield table(["parameter", "type", "default", "a search tries", "what it is"], rows)
