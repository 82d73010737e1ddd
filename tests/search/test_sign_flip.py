import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designsearch.search.mcnemar import mcnemar
from designsearch.search.sign_flip import sign_flip


@pytest.mark.parametrize(
    ("differences", "p"),
    [([], 1.0), ([0.0, 0.0], 1.0), ([0.5], 0.5), ([-0.5], 1.0), ([0.2, 0.1], 0.25), ([0.2, -0.1], 0.5)],
)
def test_values(differences, p):
    assert sign_flip(differences, seed=0) == p


@given(st.integers(0, 8), st.integers(0, 8), st.integers(0, 5), st.sampled_from([1.0, 0.1, 1 / 3]))
def test_differences_of_one_size_are_mcnemars_test(gains, losses, ties, size):
    differences = [size] * gains + [-size] * losses + [0.0] * ties
    assert sign_flip(differences, seed=0) == pytest.approx(mcnemar(gains, losses))


def test_monte_carlo_comes_near_the_exact_value():
    assert sign_flip([1.0] * 20 + [-1.0] * 10, seed=0) == pytest.approx(mcnemar(20, 10), abs=0.006)


def test_monte_carlo_is_never_zero():
    assert sign_flip([1.0] * 200, seed=0, draws=99) == 0.01


def test_seeded():
    values = np.random.default_rng(0).normal(0.05, 1, 100)
    assert sign_flip(values, seed=1) == sign_flip(values, seed=1)
    assert sign_flip(values, seed=1) != sign_flip(values, seed=2)


def test_what_was_not_measured_is_refused():
    with pytest.raises(ValueError, match="finite"):
        sign_flip([0.1, float("nan")], seed=0)


@settings(max_examples=50)
@given(st.lists(st.floats(-1, 1, width=16), max_size=24), st.randoms())
def test_range_and_order(values, random):
    p = sign_flip(values, seed=4, draws=200)
    assert 0 < p <= 1
    assert p == sign_flip(random.sample(values, len(values)), seed=4, draws=200)


@settings(max_examples=50)
@given(st.lists(st.floats(-1, 1, width=16), min_size=1, max_size=12), st.floats(0, 1, width=16))
def test_a_larger_difference_never_raises_the_p_value_of_the_largest_sum(values, more):
    largest = [abs(v) for v in values]
    assert sign_flip([*largest, more], seed=0) <= sign_flip(largest, seed=0)
