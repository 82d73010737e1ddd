import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime_fakes import call, ranked, rows_of

from designsearch.dsl.problems import UserError

LISTS = st.lists(st.lists(st.integers(0, 9), unique=True, max_size=6), min_size=2, max_size=4)


@given(LISTS, st.sampled_from([0.0, 1.0, 60.0]))
def test_sum_of_reciprocal_ranks(lists, kappa):
    made = call("cascade", "rrf", [ranked(one) for one in lists], None, kappa=kappa)
    expected = {
        unit: sum(1 / (kappa + one.index(unit) + 1) for one in lists if unit in one) for unit in set().union(*lists)
    }
    ids, scores = made.of_question(0)
    assert dict(zip(ids.tolist(), scores, strict=True)) == pytest.approx(expected)
    assert (np.lexsort((ids, -scores)) == np.arange(len(ids))).all()


def test_weights():
    made = call("cascade", "rrf", [ranked([1]), ranked([2])], None, weights=[1, 3])
    assert rows_of(made) == [[2, 1]]
    assert made.scores.tolist() == pytest.approx([3 / 61, 1 / 61])


@pytest.mark.parametrize("op", ["rrf", "weighted_sum"])
@pytest.mark.parametrize("weights", [[1.0], [1.0, 1.0, 1.0], []])
def test_one_weight_for_each_ranking(op, weights):
    with pytest.raises(UserError, match=f"{op}: weights has {len(weights)} numbers, but 2 rankings are fused"):
        call("cascade", op, [ranked([1]), ranked([2])], None, weights=weights)


def test_questions_do_not_mix():
    made = call("cascade", "rrf", [ranked([1], [2, 3], []), ranked([], [3], [])], None)
    assert rows_of(made) == [[1], [3, 2], []]
