import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime_fakes import call, memory_of, ranked, rows_of

SESSIONS = ["s", "s", "s", "t", "t", "s", "", ""]  # s goes on after t; the last two stand alone
M = memory_of([{"text": str(i), "session": s} for i, s in enumerate(SESSIONS)])
TWO = """
storage: {stores: {a: {units: {op: records}}, b: {units: {op: records}}}}
retrieval: [{op: recent, store: a}]
"""


def beside(*rows, m=M, **params):
    return rows_of(call("cascade", "neighbors", ranked(*rows), None, m, **params))


@pytest.mark.parametrize(
    ("hits", "params", "expected"),
    [
        ([1], {}, [1, 0, 2]),
        ([1], {"before": 0, "after": 2}, [1, 2, 5]),
        ([1], {"before": 5, "after": 5}, [1, 0, 2, 5]),
        ([5], {}, [5, 2]),
        ([3], {}, [3, 4]),
        ([6], {}, [6]),
        ([6], {"within": "store"}, [6, 5, 7]),
        ([2, 1], {}, [2, 1, 5, 0]),
        ([0, 5], {}, [0, 1, 5, 2]),
        ([1, 3], {"top": 1}, [1, 0, 2, 3]),
        ([4, 1], {"before": 0, "after": 0}, [4, 1]),
        ([], {}, []),
    ],
)
def test_placed_right_after_the_hit_nearest_first(hits, params, expected):
    assert beside(hits, **params) == [expected]


def test_with_the_score_of_the_hit():
    made = call("cascade", "neighbors", ranked({4: 0.9, 1: 0.2}), None, M)
    assert dict(zip(made.ids.tolist(), made.scores.tolist(), strict=True)) == {
        4: 0.9,
        3: 0.9,
        1: 0.2,
        0: 0.2,
        2: 0.2,
    }


def test_questions_do_not_mix():
    assert beside([1], [], [4]) == [[1, 0, 2], [], [4, 3]]


def test_neighbours_are_of_the_same_store():
    m = memory_of([{"text": str(i), "session": "s"} for i in range(3)], TWO)
    assert beside([2, 3], m=m) == [[2, 1, 3, 4]]
    assert beside([2, 3], m=m, within="store") == [[2, 1, 3, 4]]


@given(
    st.lists(st.integers(0, 7), unique=True, max_size=8),
    st.integers(0, 3),
    st.integers(0, 3),
    st.sampled_from(["session", "store"]),
)
def test_against_the_rule_read_out_slowly(hits, before, after, within):
    def line_of(unit):
        if within == "store":
            return list(range(8))
        return [u for u in range(8) if u == unit or (SESSIONS[unit] and SESSIONS[u] == SESSIONS[unit])]

    expected = []
    steps = sorted((d for d in range(-before, after + 1) if d), key=lambda d: (abs(d), d))
    # a hit keeps its place unless an earlier hit brought it further up
    for hit in hits:
        line = line_of(hit)
        for step in [0, *steps]:
            place = line.index(hit) + step
            if 0 <= place < len(line) and line[place] not in expected:
                expected.append(line[place])
    assert beside(hits, before=before, after=after, within=within) == [expected]
