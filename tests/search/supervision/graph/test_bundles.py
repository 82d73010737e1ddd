import os
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from supervision_histories import edges_of, histories, make_history

from designsearch.runtime.histories.base import load
from designsearch.runtime.token_counter import BundledCounter
from designsearch.search.supervision.graph.bundles import Bundle, Bundles, Step
from designsearch.search.supervision.graph.graph import EdgeKind, build_graph
from designsearch.search.supervision.record_parts import split_records

DATA = os.environ.get("DESIGNSEARCH_DATA")


def drawn(history, most=60, **options):
    options = {"seed": 0} | options
    return list(islice(Bundles(history, build_graph(history), **options), most))


TALK = [
    {"text": "I bought a new kiln for the studio, and it is on the way from Delft", "session": "a"},
    {"text": "What does it cost to run?", "session": "a", "reply_to": "r0"},
    {
        "text": "The kiln in the studio takes more than three hours to get as hot as it should be",
        "session": "b",
        "time": "2024-05-01",
    },
]


def test_a_bundle_tells_its_records_the_way_and_the_reasons():
    history = make_history(*TALK)
    (first, *_) = (bundle for seed in range(20) for bundle in drawn(history, seed=seed, most=1) if bundle.rows[0] == 2)
    assert first == Bundle(
        ordinal=0,
        rows=(2, 0, 1),
        path=(
            Step(2, 0, EdgeKind.LEXICAL, "2 shared words: kiln, studio"),
            Step(0, 1, first.path[1].kind, first.path[1].why),
        ),
        tokens=int(BundledCounter().count_all(history.texts).sum()),
    )
    assert (first.path[1].kind, first.path[1].why) in {
        (EdgeKind.SESSION, "later in the same conversation"),
        (EdgeKind.REFERENCE, "is replied to by"),
    }


def test_a_history_that_is_used_up_ends():
    history = make_history({"text": "the only record of this short history, with enough words to begin"})
    tokens = int(BundledCounter().count_all(history.texts)[0])
    assert drawn(history) == [Bundle(0, (0,), (), tokens)]
    assert Bundles(history, build_graph(history), seed=0).bundle(1) is None
    assert drawn(make_history()) == []
    assert drawn(make_history({"text": " "})) == []


def test_records_longer_than_the_budget_are_counted_and_left_out():
    history = make_history({"text": "word " * 50, "session": "a"}, {"text": "short", "session": "a"})
    bundles = Bundles(history, build_graph(history), seed=0, budget_tokens=20)
    assert bundles.too_long == 1
    assert [bundle.rows for bundle in bundles] == [(1,)]


def test_kinds_of_edges_that_were_not_used_come_first():
    history = make_history(
        *({"text": f"note {i} " + "about something else again and again and again", "session": "a"} for i in range(6)),
        {"text": "a reply", "reply_to": "r2"},
    )
    bundles = [b for b in drawn(history, most=200, hops=2) if b.rows[0] == 2]
    assert bundles
    assert all(len({step.kind for step in bundle.path}) == 2 for bundle in bundles)


def test_records_that_say_the_same_are_not_put_together():
    history = make_history({"text": "the same words", "session": "a"}, {"text": "the same words", "session": "a"})
    assert sorted(bundle.rows for bundle in drawn(history)) == [(0,), (1,)]
    texts = ["a kiln and a studio in the old harbour", "A kiln and a studio, in the old harbour!"]
    history = make_history(*({"text": text} for text in texts))
    assert edges_of(build_graph(history), EdgeKind.LEXICAL) == {(0, 1): 1.0}
    assert sorted(bundle.rows for bundle in drawn(history)) == [(0,), (1,)]


def test_seeds_are_spread_over_sources_time_and_conversations():
    long = "enough words to begin a bundle with, that is sixteen tokens or more in all"
    records = [
        {"text": long, "source": source, "session": f"{source}{month}{session}", "time": f"2024-{month:02d}-01"}
        for source, count in (("chat", 20), ("mail", 1))
        for month in range(1, 7)
        for session in range(2)
        for _ in range(count)
    ]
    history = make_history(*records, *({"text": "ok", "source": "chat", "time": "2024-01-01"} for _ in range(5)))
    seeds = [history.record(b.rows[0]) for b in drawn(history, most=24, hops=0)]
    assert len({(seed.source, seed.time) for seed in seeds[:12]}) == 12
    assert len({seed.session for seed in seeds}) == 24
    everything = [history.texts[b.rows[0]] for b in drawn(history, most=500, hops=0)]
    assert everything[-5:] == ["ok"] * 5
    assert len(everything) == len(history)


@settings(max_examples=40, deadline=None)
@given(histories(), st.integers(0, 5), st.integers(1, 40), st.integers(0, 4), st.data())
def test_bundles_keep_the_rules(history, seed, budget, hops, data):
    graph = build_graph(history)
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=len(history), max_size=len(history))), bool)
    tokens = BundledCounter().count_all(history.texts)
    options = {"seed": seed, "budget_tokens": budget, "hops": hops, "allowed": allowed}
    found = list(islice(Bundles(history, graph, **options), 40))
    assert len({frozenset(bundle.rows) for bundle in found}) == len(found)
    for place, bundle in enumerate(found):
        assert bundle.ordinal == place
        assert len(set(bundle.rows)) == len(bundle.rows) <= hops + 1
        assert allowed[list(bundle.rows)].all()
        assert bundle.tokens == tokens[list(bundle.rows)].sum() <= budget
        assert tuple(step.target_row for step in bundle.path) == bundle.rows[1:]
        for step, before in zip(bundle.path, range(1, len(bundle.rows)), strict=True):
            targets, kinds, _ = graph.neighbors(step.source_row)
            assert step.source_row in bundle.rows[:before]
            assert (step.target_row, step.kind) in zip(targets.tolist(), kinds.tolist(), strict=True)
            assert step.why
    again = Bundles(history, graph, **options, tokens=tokens)
    for place in reversed(range(len(found))):
        assert again.bundle(place) == found[place]


def test_another_seed_draws_other_bundles():
    history = make_history(*({"text": f"w{i} w{i + 1} w{i + 2} w{i + 3} and more", "session": "a"} for i in range(40)))
    one, two = ([b.rows for b in drawn(history, seed=seed, most=20)] for seed in (1, 2))
    assert one != two


@pytest.mark.parametrize(
    ("records", "source", "why"),
    [
        ([{"refs": ("r1",)}, {}], 0, "refers to"),
        ([{"refs": ("r1",)}, {}], 1, "is referred to by"),
        ([{"text": "see plan.pdf"}, {"text": "plan.pdf"}], 0, "both name plan.pdf"),
        ([{"text": "see X-9"}, {"id": "X-9"}], 0, "names X-9"),
        ([{"text": "see X-9"}, {"id": "X-9"}], 1, "is named as X-9"),
        ([{"session": "a"}, {"session": "a"}], 1, "earlier in the same conversation"),
    ],
)
def test_the_reason_of_a_step(records, source, why):
    history = make_history(*({"text": f"text {i}"} | record for i, record in enumerate(records)))
    steps = [step for seed in range(20) for bundle in drawn(history, seed=seed) for step in bundle.path]
    assert {step.why for step in steps if step.source_row == source and step.kind != EdgeKind.LEXICAL} == {why}


@pytest.mark.skipif(not DATA, reason="DESIGNSEARCH_DATA does not name the folder of official data sets")
@pytest.mark.parametrize("name", ["rhelm#Jonas_Richter", "locomo#conv-26"])
def test_on_real_histories_bundles_stay_in_their_part_and_use_several_kinds_of_edges(name):
    if not (Path(DATA) / name.partition("#")[0]).is_dir():
        pytest.skip(f"{DATA} has no {name.partition('#')[0]}")
    history = load(f"{DATA}/{name}")[0].history()
    graph, tokens = build_graph(history), BundledCounter().count_all(history.texts)
    parts = split_records(history, {"train": 0.5, "validation": 0.3, "locked": 0.2}, seed=0, tokens=tokens)
    for part in parts.names:
        mask = parts.rows_of(part)
        some = list(islice(Bundles(history, graph, seed=0, allowed=mask, tokens=tokens), 100))
        assert len(some) == 100
        assert all(mask[list(bundle.rows)].all() for bundle in some)
        assert sum(len({step.kind for step in bundle.path}) > 1 for bundle in some) > 30
