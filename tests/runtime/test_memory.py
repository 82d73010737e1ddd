import numpy as np
import pytest
from model_fakes import ScriptedModel, failing
from runtime_fakes import QuarterCounter, memory_of

from designsearch.dsl.problems import UserError
from designsearch.runtime.cache import Cache
from designsearch.runtime.histories.times import parse_time
from designsearch.runtime.indexes.static_embeddings import StaticEmbedder
from designsearch.runtime.services import Services

TWO = """
storage:
  stores:
    parts: {units: {op: records}, views: {wide: {op: window}}}
    wholes: {units: {op: sessions}}
retrieval: [{op: recent, store: parts}]
"""
ENTRIES = [
    {"text": "a", "session": "s", "time": "2024-01-01"},
    {"text": "b", "session": "t", "time": "2024-01-02"},
    {"text": "c", "session": "s", "time": "2024-01-03"},
    {"text": "d"},
]


def test_global_ids_run_through_the_stores():
    m = memory_of(ENTRIES, TWO)
    assert (m.size, [s.base for s in m.stores.values()]) == (7, [0, 4])
    assert m.store(None).name == "parts"
    assert m.store("wholes").units.texts == ("a\nc", "b", "d")
    assert m.store_of(np.arange(7)).tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert m.first_records.tolist() == [0, 1, 2, 3, 0, 1, 3]
    assert [m.text(u) for u in range(7)] == ["a", "b", "c", "d", "a\nc", "b", "d"]
    assert m.source_of(4) == ("wholes", ("r0", "r2"))
    assert m.source_of(1) == ("parts", ("r1",))


def test_sessions_in_order_store_after_store():
    m = memory_of(ENTRIES, TWO)
    assert m.sessions[0] == m.sessions[2] == m.sessions[4]
    assert m.sessions[3] < 0
    order = m.session_order.tolist()
    assert sorted(order) == list(range(7))
    assert order.index(2) == order.index(0) + 1
    assert set(order[:4]) == {0, 1, 2, 3}


def test_a_view_that_is_not_there_is_named():
    with pytest.raises(UserError, match=r"store parts has no view wdie \(did you mean wide\?\)"):
        memory_of(ENTRIES, TWO).store("parts").texts("wdie")
    with pytest.raises(UserError, match=r"store wholes has no view wide \(the views are raw\)"):
        memory_of(ENTRIES, TWO).store("wholes").vectors("wide")


def test_last_time():
    assert memory_of(ENTRIES).last_time == parse_time("2024-01-03").local
    assert memory_of([{"text": "x", "time": "1931"}]).last_time == parse_time("1931").local
    assert memory_of(["x"]).last_time == 0


def test_an_empty_store_beside_a_full_one():
    design = TWO.replace("{op: sessions}", "{op: records, sources: [email]}")
    m = memory_of(ENTRIES, design)
    assert m.size == 4
    assert len(m.store("wholes")) == 0
    assert m.store_of(np.array([3])).tolist() == [0]


class CountingEmbedder(StaticEmbedder):
    def __init__(self):
        self.texts = []

    def embed(self, texts):
        self.texts += texts
        return super().embed(texts)


def test_vectors_are_kept_on_disk(tmp_path):
    for expected in (["a", "b", "c", "d"], []):
        embedder = CountingEmbedder()
        m = memory_of(ENTRIES, services=Services(cache=Cache(tmp_path), embedder=embedder))
        vectors = m.store(None).vectors("raw").vectors
        assert np.array_equal(vectors, StaticEmbedder().embed(["a", "b", "c", "d"]))
        assert embedder.texts == expected


def test_what_is_equal_is_made_once_for_all_designs():
    services = Services()
    one, other = (memory_of(ENTRIES, TWO + tail, services) for tail in ("", "\ncontext: {order: chronological}"))
    assert one.store("parts").units is other.store("parts").units
    assert one.store("parts").texts("wide") is other.store("parts").texts("wide")
    assert one.key == other.key


@pytest.mark.parametrize(
    "design",
    [
        TWO.replace("{op: window}", "{op: window, before: 2}"),
        TWO.replace("wide:", "broad:"),
        TWO.replace("{wide: {op: window}}", "{wide: {op: window}, more: {op: window}}"),
        TWO.replace("{op: sessions}", "{op: turns}"),
    ],
)
def test_the_key_changes_with_what_stages_read(design):
    assert memory_of(ENTRIES, design).key != memory_of(ENTRIES, TWO).key


def test_views_that_change_names_are_told_apart():
    designs = [
        f"storage: {{views: {{{a}: {{op: window}}, {b}: {{op: session_text}}}}}}"
        for a, b in (("one", "two"), ("two", "one"))
    ]
    assert len({memory_of(ENTRIES, design).key for design in designs}) == 2


def test_the_key_changes_with_the_counter_and_the_history():
    keys = {
        memory_of(ENTRIES).key,
        memory_of(ENTRIES, services=Services(counter=QuarterCounter())).key,
        memory_of(ENTRIES[:3]).key,
    }
    assert len(keys) == 3


NOTED = "storage: {units: {op: facts, batch: record}, views: {mood: {op: describe}}}"


def wrote(request):
    text = request.messages[-1].content.split("\n")[-2]
    if request.purpose == "memory/facts":
        return {"facts": [{"text": f"{text} {n}", "from": [1]} for n in (1, 2)]}
    return {"description": f"mood of {text}"}


@pytest.mark.parametrize("first", ["memory/facts", "memory/describe"])
def test_what_failed_once_leaves_nothing_stale_behind_on_disk(first, tmp_path):
    def vectors(script):
        services = Services(cache=Cache(tmp_path), helper=ScriptedModel(script))
        store = memory_of(["a kayak", "some tea"], NOTED, services).store(None)
        return store.texts("mood"), store.vectors("mood").vectors

    _, before = vectors(lambda request: failing(request) if request.purpose == first else wrote(request))
    texts, after = vectors(wrote)
    assert len(texts) == 4
    assert np.array_equal(after, StaticEmbedder().embed(texts))
    assert before.shape != after.shape or not np.array_equal(before, after)


class Renamed(StaticEmbedder):
    fingerprint = "another"


@pytest.mark.parametrize(
    ("storage", "depends"),
    [
        ("storage: {}", False),
        ("storage: {units: {op: topics}}", True),
        ("storage: {write: {op: consolidate}}", True),
    ],
)
def test_what_embeds_texts_is_cached_under_the_embedder(storage, depends):
    def key(embedder):
        return memory_of(ENTRIES, storage, Services(embedder=embedder, helper=ScriptedModel(failing))).store(None).key

    assert (key(StaticEmbedder()) != key(Renamed())) is depends


def test_a_view_that_nobody_reads_is_not_written():
    model = ScriptedModel(wrote)
    m = memory_of(["a kayak"], "storage: {views: {mood: {op: describe}}}", Services(helper=model))
    assert (m.store(None).views, model.requests) == (["raw", "mood"], [])
    m.store(None).vectors("mood")
    assert len(model.requests) == 1
