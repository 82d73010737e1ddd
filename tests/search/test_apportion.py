import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.search.apportion import apportion


@pytest.mark.parametrize(
    ("count", "shares", "expected"),
    [
        (10, {"a": 0.5, "b": 0.3, "c": 0.2}, {"a": 5, "b": 3, "c": 2}),
        (4, {"a": 1.0, "b": 1.0, "c": 2.0}, {"a": 1, "b": 1, "c": 2}),
        (3, {"a": 0.9, "b": 0.05, "c": 0.05}, {"a": 1, "b": 1, "c": 1}),
        (7, {"a": 0.6, "b": 0.4}, {"a": 4, "b": 3}),
    ],
)
def test_the_largest_remainders_get_what_is_left(count, shares, expected):
    assert apportion(count, shares) == expected


@given(st.dictionaries(st.text(max_size=2), st.floats(0.01, 10), min_size=1, max_size=6), st.integers(0, 50))
def test_they_add_up_and_none_is_left_out(shares, more):
    parts = apportion(len(shares) + more, shares)
    assert sum(parts.values()) == len(shares) + more
    assert min(parts.values()) >= 1
