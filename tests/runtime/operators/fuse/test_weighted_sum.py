import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime_fakes import call, ranked, rows_of

from designsearch.runtime.operators.fuse.weighted_sum import normalized

SCORES = st.dictionaries(st.integers(0, 6), st.sampled_from([-1.0, -0.25, 0.0, 0.5, 2.0]), max_size=5)
NORMALIZE = ["minmax", "zscore", "max", "none"]


def scores_of(rankings, **params):
    ids, scores = call("cascade", "weighted_sum", rankings, None, **params).of_question(0)
    return dict(zip(ids.tolist(), scores.tolist(), strict=True))


def test_minmax():
    made = scores_of([ranked({1: 10.0, 2: 6.0, 3: 2.0}), ranked({2: 0.9, 4: 0.1})])
    assert made == pytest.approx({1: 1.0, 2: 0.5 + 1.0, 3: 0.0, 4: 0.0})


def test_weights_and_plain_scores():
    made = scores_of([ranked({1: 10.0, 2: 6.0}), ranked({2: 0.5})], weights=[0.1, 2], normalize="none")
    assert made == pytest.approx({1: 1.0, 2: 0.6 + 1.0})


def test_plain_scores_below_zero_do_not_reward_absence():
    made = scores_of([ranked({1: 0.9, 2: -0.2}), ranked({1: 0.1, 2: 0.1, 3: 0.1})], normalize="none")
    assert made == pytest.approx({1: 1.0, 2: -0.1, 3: -0.1})


@pytest.mark.parametrize("normalize", NORMALIZE)
@given(first=SCORES, second=SCORES)
def test_being_absent_is_never_better_than_being_last(normalize, first, second):
    made = scores_of([ranked(first), ranked(second)], normalize=normalize)
    if not first:
        return
    last = min(first, key=lambda unit: (first[unit], -unit))
    for unit in second:
        if unit not in first and second.get(last, float("-inf")) >= second[unit]:
            assert made[last] >= made[unit] - 1e-9


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("minmax", [1.0, 0.5, 0.0, 1.0, 1.0]),
        ("zscore", [1.224744871, 0.0, -1.224744871, 0.0, 0.0]),
        ("max", [1.0, 0.5, 0.0, 1.0, 1.0]),
        ("none", [4.0, 2.0, 0.0, 3.0, 3.0]),
    ],
)
def test_normalized_within_each_question(how, expected):
    ranking = ranked({1: 4.0, 2: 2.0, 3: 0.0}, {}, {4: 3.0, 5: 3.0})
    assert normalized(ranking, how) == pytest.approx(np.array(expected))


def test_questions_do_not_mix():
    assert rows_of(call("cascade", "weighted_sum", [ranked([1], [2, 3], []), ranked([], [3], [])], None)) == [
        [1],
        [2, 3],
        [],
    ]
