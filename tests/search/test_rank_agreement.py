"""How alike two sets of scores order the same designs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

from designsearch.search.rank_agreement import Agreement, agreement

FINITE = st.floats(0, 1, allow_nan=False).map(lambda value: round(value, 1))
PAIRS = st.lists(st.tuples(FINITE, FINITE), min_size=2, max_size=30)


def named(values):
    return {f"d{i:02d}": value for i, value in enumerate(values)}


def test_by_hand():
    # of the six pairs five agree and one (b, c) does not: tau = (5 - 1) / 6
    found = agreement({"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.9}, {"a": 0.2, "b": 0.5, "c": 0.4, "d": 0.6})
    assert found.kendall == pytest.approx(4 / 6)
    assert found.spearman == pytest.approx(1 - 6 * 2 / (4 * 15))
    assert found.designs == 4


def test_ties_by_hand():
    # a and b are tied in the first alone: 2 of 2 pairs that both order agree, tau-b = 2 / sqrt(2 * 3)
    found = agreement({"a": 0.1, "b": 0.1, "c": 0.3}, {"a": 0.2, "b": 0.4, "c": 0.6})
    assert found.kendall == pytest.approx(2 / np.sqrt(2 * 3))


@given(PAIRS)
def test_as_scipy_has_it(pairs):
    a, b = zip(*pairs, strict=True)
    found = agreement(named(a), named(b))
    if len(set(a)) < 2 or len(set(b)) < 2:
        assert found == Agreement(len(pairs), None, None, None)
    else:
        assert found.kendall == pytest.approx(kendalltau(a, b).statistic)
        assert found.spearman == pytest.approx(spearmanr(a, b).statistic)
        assert found.interval is not None
        assert -1 - 1e-9 <= found.interval.low <= found.interval.high <= 1 + 1e-9


def test_the_interval_is_that_of_resampled_designs():
    chance = np.random.default_rng(5)
    a = chance.random(24).round(2)
    b = (a + chance.normal(0, 0.2, 24)).round(2)
    taus = []
    for _ in range(3000):
        drawn = chance.integers(0, 24, 24)
        taus.append(kendalltau(a[drawn], b[drawn]).statistic)
    found = agreement(named(a), named(b)).interval
    assert found is not None
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(taus, [0.025, 0.975])), abs=0.02)


def test_it_depends_on_the_seed_alone_and_not_on_the_order_of_the_designs():
    a, b = named([0.1, 0.5, 0.3, 0.9, 0.7]), named([0.2, 0.3, 0.4, 0.8, 0.9])
    found = agreement(a, b)
    assert found == agreement(dict(reversed(a.items())), dict(sorted(b.items())), seed=0)
    assert found.kendall == agreement(b, a).kendall


def test_the_same_order_and_the_reverse():
    up, down = named([1, 2, 3, 4]), named([4, 3, 2, 1])
    assert agreement(up, up).kendall == pytest.approx(1)
    assert agreement(up, up).interval == pytest.approx((1, 1, 0.95))
    assert agreement(up, down).kendall == pytest.approx(-1)


def test_designs_that_one_lacks_are_left_out():
    found = agreement({"a": 0.1, "b": 0.2, "c": 0.9}, {"a": 0.1, "b": 0.2, "x": 0.0})
    assert (found.designs, found.kendall) == (2, pytest.approx(1))


@pytest.mark.parametrize("scores", [{}, {"a": 0.5}, {"a": 0.5, "b": 0.5}])
def test_nothing_to_order(scores):
    assert agreement(scores, scores) == Agreement(len(scores), None, None, None)


def test_few_designs_are_uncertain():
    assert agreement(named(range(19)), named(range(19))).uncertain
    assert not agreement(named(range(20)), named(range(20))).uncertain


def test_a_score_that_is_no_number_is_an_error():
    with pytest.raises(ValueError, match="finite"):
        agreement({"a": float("nan"), "b": 0.1}, {"a": 0.1, "b": 0.2})


def test_json():
    found = agreement({"a": 0.1, "b": 0.2}, {"a": 0.3, "b": 0.4})
    assert found.to_json() == {
        "designs": 2,
        "kendall": pytest.approx(1.0),
        "interval": [1.0, 1.0],
        "spearman": pytest.approx(1.0),
    }
