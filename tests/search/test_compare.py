import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.search.compare import compare, pair
from designsearch.search.mcnemar import mcnemar
from designsearch.search.results import Key
from designsearch.search.scores import Scores

VALUES = st.lists(st.sampled_from([0, 1, None]), min_size=1, max_size=12)


def test_only_pairs_count(make_scores):
    pairs = pair(make_scores([1, 0, 0, None, 1, None]), make_scores([1, 1, None, 1, 0, None]))
    assert [key.question_id for key in pairs.keys] == ["q000", "q001", "q004"]
    assert (pairs.gain, pairs.gains, pairs.losses) == (0.0, 1, 1)
    assert [key.question_id for key in pairs.unmeasured] == ["q002", "q003", "q005"]
    assert pairs.unmeasured_share == 0.5


def test_questions_of_one_side_alone_are_unmeasured(make_scores):
    pairs = pair(make_scores([1, 1]), make_scores([1, 1, 1]))
    assert pairs.unmeasured == (Key("h", "q002"),)


def test_too_many_unmeasured_are_no_comparison(make_scores):
    base, new = make_scores([1] * 20), make_scores([1] * 17 + [None] * 3)
    assert compare(pair(base, new), limit=0.15).problem == ""
    assert compare(pair(base, new)).problem == (
        "3 of 20 questions (15%) were not measured under both designs, more than the limit of 10%: "
        "h/q017, h/q018, h/q019"
    )
    many = compare(pair(base, make_scores([1] * 10 + [None] * 10))).problem
    assert many.endswith("h/q010, h/q011, h/q012, h/q013, h/q014, ...")


def test_nothing_in_common(make_scores):
    found = compare(pair(make_scores([1, 1], "a"), make_scores([1], "b")))
    assert found.problem == "no question was measured under both designs"
    assert (found.count, found.base, found.new, found.gain, found.p, found.interval) == (0, None, None, 0.0, 1.0, None)
    assert pair(Scores({}), Scores({})).unmeasured_share == 1.0


def test_right_and_wrong_are_tested_by_mcnemar_and_shares_by_sign_flip(make_scores):
    right = pair(make_scores([0] * 8 + [1]), make_scores([1] * 8 + [0]))
    assert right.p_value(0) == mcnemar(8, 1)
    shares = pair(make_scores([0, 0, 0.5]), make_scores([0.5, 1, 1]))
    assert shares.p_value(0) == 1 / 8


def test_each_user_apart():
    base = {Key(user, f"q{i}"): 0.0 for user in "ab" for i in range(4)}
    new = {key: float(key.history == "a") for key in base}
    found = compare(pair(Scores(base), Scores(new)))
    assert {user: (d.count, d.gain) for user, d in found.by_history.items()} == {"a": (4, 1.0), "b": (4, 0.0)}
    assert (found.base, found.new, found.gain, found.gains, found.losses) == (0.0, 0.5, 0.5, 4, 0)
    assert found.users_interval.low == 0.0
    assert found.users_interval.high == 1.0


@given(VALUES, VALUES, st.randoms())
def test_antisymmetric_and_free_of_order(make_scores, a, b, random):
    base, new = make_scores(a), make_scores(b)
    pairs, back = pair(base, new), pair(new, base)
    assert pairs.gain == pytest.approx(-back.gain)
    assert (pairs.gains, pairs.losses, pairs.unmeasured) == (back.losses, back.gains, back.unmeasured)
    order = random.sample(list(base.measured), len(base.measured))
    again = pair(Scores({key: base.measured[key] for key in order}, base.unmeasured[::-1]), new)
    assert again.keys == pairs.keys
    assert np.array_equal(again.base, pairs.base)
    assert -1 <= pairs.gain <= 1
    assert 0 < pairs.p_value(0) <= 1
