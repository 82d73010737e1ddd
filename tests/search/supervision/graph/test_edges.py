import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from designsearch.search.supervision.graph.edges import Edges, within_groups


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from([0.25, 0.5, 1.0]))))
def test_of_equal_pairs_the_heaviest_counts_and_loops_do_not(pairs):
    expected = {}
    for one, two, weight in pairs:
        if one != two:
            pair = min(one, two), max(one, two)
            expected[pair] = max(weight, expected.get(pair, 0))
    columns = np.array(pairs, float).reshape(-1, 3).T
    edges = Edges.of(*columns)
    found = zip(edges.low.tolist(), edges.high.tolist(), edges.weights.tolist(), strict=True)
    assert list(found) == [(*pair, weight) for pair, weight in sorted(expected.items())]
    assert len(edges) == len(expected)


@given(st.lists(st.integers(0, 4)).map(sorted), st.integers(0, 6))
def test_pairs_of_a_group_are_within_reach(groups, reach):
    first, second, distance = within_groups(np.array(groups, np.int64), reach)
    expected = {
        (i, j, j - i) for j in range(len(groups)) for i in range(j) if groups[i] == groups[j] and j - i <= reach
    }
    found = list(zip(first.tolist(), second.tolist(), distance.tolist(), strict=True))
    assert set(found) == expected
    assert len(found) == len(expected)
