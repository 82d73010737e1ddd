"""An inner cascade that remembers what it found: episodes sampled again and again ask much the same."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from designsearch.dsl.operators import Cascade, Operator, Params, Stage, param
from designsearch.runtime.memory import Memory
from designsearch.runtime.pipeline import run_cascade
from designsearch.runtime.records import Queries, Query, Ranked, Rankings

Asked = tuple[str, int, tuple[Query, ...]]


class RememberedParams(Params):
    """Parameters of the stage that remembers."""

    search: Cascade = param(about="what it runs", min_length=1)


def remembering(search: Cascade) -> Cascade:
    """A cascade of one stage that finds the same, each query once; for one memory."""
    operator = Operator("remembered", "retrieve", RememberedParams, _remembered(search))
    return (Stage(operator, RememberedParams.model_construct(search=search)),)


def _remembered(search: Cascade) -> Callable[[RememberedParams, Queries, Memory], Rankings]:
    found: dict[Asked, Ranked] = {}

    def function(params: RememberedParams, queries: Queries, m: Memory) -> Rankings:
        asked = list(zip(queries.questions, queries.as_of.tolist(), queries.queries, strict=True))
        new = list(dict.fromkeys(one for one in asked if one not in found))
        if new:
            batch = Queries(
                tuple(question for question, _, _ in new),
                np.array([as_of for _, as_of, _ in new], np.int64),
                tuple(own for _, _, own in new),
            )
            ranking = run_cascade(m, search, batch).ranking
            found.update((one, ranking.of_question(i)) for i, one in enumerate(new))
        return Rankings.of([found[one] for one in asked])

    return function
