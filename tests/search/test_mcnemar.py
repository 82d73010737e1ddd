import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.search.mcnemar import mcnemar

COUNTS = st.integers(0, 60)


@pytest.mark.parametrize(
    ("gains", "losses", "p"), [(0, 0, 1.0), (0, 5, 1.0), (3, 0, 0.125), (4, 1, 6 / 32), (1, 1, 0.75), (2000, 0, 0.0)]
)
def test_values(gains, losses, p):
    assert mcnemar(gains, losses) == pytest.approx(p)


@given(COUNTS, COUNTS)
def test_range_and_direction(gains, losses):
    p = mcnemar(gains, losses)
    assert 0 < p <= 1
    assert mcnemar(gains + 1, losses) <= p <= mcnemar(gains, losses + 1)


@given(COUNTS, COUNTS)
def test_the_two_directions_share_the_observed_outcome(gains, losses):
    assert mcnemar(gains, losses) + mcnemar(losses, gains) >= 1
