import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designsearch.search.intervals import over_questions, over_users

SHARES = st.lists(st.floats(0, 1, width=16), min_size=2, max_size=25)


def test_an_interval_holds_the_mean_and_narrows_with_more_questions():
    values = [0.0, 1.0, 1.0, 0.0, 1.0] * 6
    few, many = over_questions(values, seed=1), over_questions(values * 10, seed=1)
    assert few.low < 0.6 < few.high
    assert few.low < many.low < 0.6 < many.high < few.high
    assert few.level == 0.95
    wider = over_questions(values, seed=1, level=0.99)
    assert wider.low <= few.low
    assert wider.high >= few.high


def test_it_covers_the_true_mean_about_as_often_as_it_says():
    rng = np.random.default_rng(0)
    hits = 0
    for study in range(200):
        interval = over_questions((rng.random(60) < 0.3).astype(float), seed=study, resamples=400)
        hits += interval.low <= 0.3 <= interval.high
    assert 0.88 <= hits / 200 <= 0.99


def test_users_who_differ_widen_the_interval():
    values = [0.1, 0.2] * 20 + [0.8, 0.9] * 20 + [0.4, 0.5] * 20
    users = ["a"] * 40 + ["b"] * 40 + ["c"] * 40
    questions, by_user = over_questions(values, seed=2), over_users(values, users, seed=2)
    assert by_user.low < questions.low
    assert by_user.high > questions.high


def test_too_few_to_say():
    assert over_questions([], seed=0) is None
    assert over_questions([0.5], seed=0) is None
    assert over_users([0.5, 0.6], ["a", "a"], seed=0) is None


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_what_was_not_measured_is_refused(bad):
    with pytest.raises(ValueError, match="finite"):
        over_questions([0.5, bad], seed=0)
    with pytest.raises(ValueError, match="finite"):
        over_users([0.5, bad], ["a", "b"], seed=0)


def test_every_value_needs_a_user():
    with pytest.raises(ValueError, match="2 values but 1 users"):
        over_users([0.5, 0.6], ["a"], seed=0)


@settings(max_examples=30)
@given(SHARES.flatmap(lambda v: st.tuples(st.just(v), st.permutations(v))), st.integers(0, 2**32 - 1))
def test_the_order_plays_no_part_and_the_range_is_kept(pair, seed):
    values, mixed = pair
    interval = over_questions(values, seed=seed, resamples=50)
    assert interval == over_questions(mixed, seed=seed, resamples=50)
    assert min(values) - 1e-9 <= interval.low <= interval.high <= max(values) + 1e-9


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(0, 1, width=16), st.sampled_from("abc")), min_size=2, max_size=20), st.randoms())
def test_the_order_of_users_and_questions_plays_no_part(pairs, random):
    mixed = random.sample(pairs, len(pairs))
    before = over_users([v for v, _ in pairs], [u for _, u in pairs], seed=3, resamples=50)
    assert before == over_users([v for v, _ in mixed], [u for _, u in mixed], seed=3, resamples=50)
    assert before is None or 0 <= before.low <= before.high <= 1
