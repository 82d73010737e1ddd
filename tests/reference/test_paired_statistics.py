"""Tests and intervals against scipy."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from designsearch.search.intervals import over_questions, over_users
from designsearch.search.mcnemar import mcnemar
from designsearch.search.sign_flip import sign_flip


@pytest.mark.parametrize(("gains", "losses"), [(0, 0), (1, 0), (0, 3), (7, 7), (30, 18), (400, 350), (900, 1100)])
def test_mcnemar_is_the_binomial_test(gains, losses):
    expected = stats.binomtest(gains, gains + losses, 0.5, alternative="greater").pvalue if gains + losses else 1.0
    assert mcnemar(gains, losses) == pytest.approx(expected, rel=1e-9)


def permutation_p(differences, draws):
    result = stats.permutation_test(
        (np.array(differences),),
        lambda d, axis: d.mean(axis=axis),
        permutation_type="samples",
        alternative="greater",
        vectorized=True,
        n_resamples=draws,
        rng=np.random.default_rng(5),
    )
    return result.pvalue


@pytest.mark.parametrize("seed", range(6))
def test_exact_sign_flip(seed):
    # eighths add up without rounding, which can cost scipy the observed sum itself
    differences = np.round(8 * np.random.default_rng(seed).normal(0.2, 1, size=10)) / 8
    assert sign_flip(differences, seed=0) == pytest.approx(permutation_p(differences, np.inf), abs=1e-12)


def test_sums_that_differ_by_rounding_alone_are_ties():
    tenths = [3, -1, -2, 7, 4, -6, 1, 1]
    sums = [sum(t * s for t, s in zip(tenths, signs, strict=True)) for signs in product((1, -1), repeat=len(tenths))]
    expected = sum(s >= sum(tenths) for s in sums) / len(sums)
    assert sign_flip([t / 10 for t in tenths], seed=0) == expected


@pytest.mark.parametrize("seed", range(3))
def test_monte_carlo_sign_flip(seed):
    differences = np.random.default_rng(seed).normal(0.1, 1, size=60)
    assert sign_flip(differences, seed=1) == pytest.approx(permutation_p(differences, 20_000), abs=0.015)


@pytest.mark.parametrize("seed", range(3))
def test_bootstrap_over_questions(seed):
    values = np.random.default_rng(seed).beta(0.5, 0.8, size=80)
    expected = stats.bootstrap(
        (values,), np.mean, method="percentile", n_resamples=20_000, rng=np.random.default_rng(9)
    ).confidence_interval
    found = over_questions(values, seed=3, resamples=20_000)
    assert found.low == pytest.approx(expected.low, abs=0.005)
    assert found.high == pytest.approx(expected.high, abs=0.005)


def test_bootstrap_over_users_against_a_loop():
    rng = np.random.default_rng(0)
    groups = {name: rng.beta(a, 1, size=n) for name, a, n in (("a", 0.4, 12), ("b", 1.5, 30), ("c", 5.0, 7))}
    means = []
    for _ in range(8_000):
        drawn = [groups[name] for name in rng.choice(list(groups), 3)]
        means.append(np.concatenate([rng.choice(g, len(g)) for g in drawn]).mean())
    values = np.concatenate(list(groups.values()))
    users = [name for name, group in groups.items() for _ in group]
    found = over_users(values, users, seed=4, resamples=8_000)
    assert found.low == pytest.approx(np.quantile(means, 0.025), abs=0.02)
    assert found.high == pytest.approx(np.quantile(means, 0.975), abs=0.02)
