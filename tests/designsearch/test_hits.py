"""Hits of units that a policy noted in part."""

from designsearch.dsl.validate import load_design
from designsearch.hits import hit_of
from designsearch.runtime.compile import compile_design
from designsearch.runtime.episodes.states import Cited
from designsearch.runtime.excerpts import Excerpt
from designsearch.runtime.histories.fold import fold
from designsearch.runtime.operators import load_all
from designsearch.runtime.records import Record

DESIGN = "version: 1\nstorage: {units: {op: sessions}}\nretrieval: [{op: bm25}]"
TALK = fold(
    [
        Record("a", "Tea is hot.", "2024-05-01", author="Ann", session="s"),
        Record("b", "Ice is cold.", "2024-05-02", author="Ben", session="s"),
    ],
    "h",
)


def test_an_excerpt_is_told_as_it_is_shown():
    stores = compile_design(load_design(DESIGN, registry=load_all())).open(TALK)
    whole = hit_of(stores, 0, 1, 0.5, None)
    assert (whole.text, whole.records, whole.time, whole.author) == (
        "Tea is hot.\nIce is cold.",
        ("a", "b"),
        "2024-05-01",
        "Ann",
    )
    part = hit_of(stores, 0, 1, 0.5, Excerpt((Cited(1, 0, 12),), "a remark"))
    assert (part.text, part.records, part.time, part.author) == ("Ice is cold.", ("b",), "2024-05-02", "Ben")
