import numpy as np
from hypothesis import given, settings
from supervision_histories import edges_of, histories, make_history

from designsearch.search.supervision.graph.graph import EdgeKind, build_graph


def test_an_empty_history_has_an_empty_graph():
    graph = build_graph(make_history())
    assert len(graph) == 0
    assert graph.starts.tolist() == [0]
    assert graph.targets.tolist() == []


def test_a_record_alone_has_no_neighbour():
    graph = build_graph(make_history({"text": "kiln"}))
    assert [part.tolist() for part in graph.neighbors(0)] == [[], [], []]


def test_each_kind_of_edge_is_there_with_its_weight():
    history = make_history(
        {"text": "The kiln was too hot for this glaze", "session": "s"},
        {"text": "ok", "session": "s", "reply_to": "r0"},
        {"text": "Opening", "source": "file", "section": "A", "time": "2024-03-01", "author": "x"},
        {"text": "Middle", "source": "file", "section": "B", "time": "2024-03-01", "author": "x"},
        {"text": "A new glaze needs another kiln", "time": "2024-06-01"},
    )
    graph = build_graph(history)
    assert edges_of(graph, EdgeKind.SESSION) == {(0, 1): 1.0}
    assert edges_of(graph, EdgeKind.REFERENCE) == {(0, 1): 1.0}
    assert edges_of(graph, EdgeKind.SECTION) == {(2, 3): 1.0}
    assert edges_of(graph, EdgeKind.LEXICAL) == {(0, 4): 1.0}
    assert graph.informative == {"kiln": 2, "glaze": 2}


def test_the_window_of_a_conversation_can_be_chosen():
    history = make_history(*({"text": str(i), "session": "s"} for i in range(4)))
    assert set(edges_of(build_graph(history, window=1), EdgeKind.SESSION)) == {(0, 1), (1, 2), (2, 3)}


@settings(max_examples=60, deadline=None)
@given(histories())
def test_the_graph_is_symmetric_sorted_and_has_no_loops_or_double_edges(history):
    graph = build_graph(history)
    rows = np.repeat(np.arange(len(graph)), np.diff(graph.starts))
    edges = list(zip(rows.tolist(), graph.targets.tolist(), graph.kinds.tolist(), graph.weights.tolist(), strict=True))
    assert len(graph) == len(history)
    assert all(row != target for row, target, _, _ in edges)
    assert len({edge[:3] for edge in edges}) == len(edges)
    assert {(target, row, kind, weight) for row, target, kind, weight in edges} == set(edges)
    assert edges == sorted(edges, key=lambda edge: (edge[0], edge[2], -edge[3], edge[1]))
    assert all(0 < weight <= 1 for *_, weight in edges)
    assert (graph.targets.dtype, graph.kinds.dtype, graph.weights.dtype) == (np.int64, np.uint8, np.float32)


@settings(max_examples=30, deadline=None)
@given(histories())
def test_the_graph_is_the_same_each_time(history):
    first, second = build_graph(history), build_graph(history)
    for name in ("starts", "targets", "kinds", "weights"):
        assert (getattr(first, name) == getattr(second, name)).all()
    assert (first.informative, first.names) == (second.informative, second.names)
