"""Valid designs over the fake registry, drawn at random as plain trees."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

small = st.integers(0, 3)
window = st.fixed_dictionaries({"op": st.just("window")}, optional={"before": small, "after": small})
units = st.sampled_from([{"op": "records"}, {"op": "turns"}, {"op": "turns", "roles": ["user"]}])
whens = st.sampled_from(["question.has_date", "question.asks_count"])
bm25 = st.fixed_dictionaries(
    {"op": st.just("bm25")},
    optional={
        "k": st.integers(1, 99),
        "b": st.sampled_from([0, 0.5, 1.0]),
        "variant": st.sampled_from(["lucene", "bm25+"]),
    },
)
dense = st.fixed_dictionaries({"op": st.just("dense")}, optional={"k": st.integers(1, 99), "when": whens})
retrievers = st.one_of(bm25, dense)
refiners = st.one_of(
    st.fixed_dictionaries({"op": st.just("take"), "k": st.integers(1, 9)}, optional={"when": whens}),
    st.fixed_dictionaries({"op": st.just("neighbors")}, optional={"before": small}),
    st.just({"op": "score", "features": {"recency": 0.5, "bm25": 1}}),
)


@st.composite
def cascades(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A cascade whose types fit."""
    first = draw(
        st.lists(st.sampled_from([{"op": "keywords"}, {"op": "prf", "feedback": [{"op": "bm25"}]}]), max_size=1)
    )
    search = draw(st.lists(retrievers, min_size=1, max_size=3))
    fuse = [{"op": draw(st.sampled_from(["rrf", "best"]))}] if len(search) > 1 else []
    return [*first, *search, *fuse, *draw(st.lists(refiners, max_size=3))]


@st.composite
def designs(draw: st.DrawFn) -> dict[str, Any]:
    """A design in the flat form."""
    tree: dict[str, Any] = {"version": 1, "retrieval": draw(cascades())}
    if draw(st.booleans()):
        branch = {"op": "branch", "branches": {"a": draw(cascades()), "b": draw(cascades())}, "fuse": {"op": "rrf"}}
        tree["retrieval"] = [branch, *draw(st.lists(refiners, max_size=2))]
    if draw(st.booleans()):
        tree["storage"] = {"units": draw(units), "views": draw(st.dictionaries(st.sampled_from(["v", "w"]), window))}
    if draw(st.booleans()):
        orders, headers = st.sampled_from(["relevance", "edges"]), st.sampled_from(["", "H\n"])
        tree["context"] = {"order": draw(orders), "header": draw(headers)}
    if draw(st.booleans()):
        tree["name"] = draw(st.sampled_from(["one", "two"]))
    return tree
