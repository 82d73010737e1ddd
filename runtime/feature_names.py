"""What the name of a feature stands for, as ``bm25`` and ``centered_cosine.window`` do."""

from __future__ import annotations

from designsearch.dsl.operators import REGISTRY, Operator, Params
from designsearch.dsl.problems import nearest


def feature_of(name: str) -> tuple[Operator, Params]:
    """The operator and parameters that a feature's name stands for.

    Raises:
        ValueError: there is no such feature, or it reads no view.
    """
    head, _, view = name.partition(".")
    found = REGISTRY.get("features", head)
    if found is None:
        known = REGISTRY.names("features")
        raise ValueError(f"unknown feature {head} ({nearest(head, known) or 'known: ' + ', '.join(known)})")
    if not view:
        return found, found.params()
    if "view" not in found.params.model_fields:
        raise ValueError(f"feature {head} reads no view: write {head}")
    return found, found.params.model_validate({"view": view})
