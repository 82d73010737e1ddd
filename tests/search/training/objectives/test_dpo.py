import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designsearch.search.training.objectives.dpo import dpo

LOGP = st.floats(-60, 0)
PAIRS = st.lists(st.tuples(LOGP, LOGP, LOGP, LOGP), min_size=1, max_size=5)


def test_the_reference_values(vectors):
    case = vectors["dpo"]
    each = [dpo(*([logp] for logp in one["logps"]), beta=case["beta"]) for one in case["cases"]]
    assert [found.margin[0] for found in each] == pytest.approx([o["margin_beta"] for o in case["cases"]], abs=1e-9)
    assert [found.loss for found in each] == pytest.approx([o["loss"] for o in case["cases"]], abs=1e-9)
    together = dpo(*np.array([one["logps"] for one in case["cases"]]).T)
    assert together.losses == pytest.approx([o["loss"] for o in case["cases"]], abs=1e-9)
    assert together.loss == pytest.approx(sum(o["loss"] for o in case["cases"]) / len(case["cases"]), abs=1e-9)


@given(PAIRS, st.floats(0.01, 1))
@settings(max_examples=50)
def test_the_gradient_agrees_with_finite_differences(pairs, beta):
    arrays = np.array(pairs).T
    found, step = dpo(*arrays, beta=beta), 1e-5
    for row, slopes in ((0, found.chosen), (1, found.rejected)):
        for pair in range(len(pairs)):
            up, down = arrays.copy(), arrays.copy()
            up[row, pair] += step
            down[row, pair] -= step
            slope = (dpo(*up, beta=beta).loss - dpo(*down, beta=beta).loss) / (2 * step)
            assert slopes[pair] == pytest.approx(slope, abs=1e-6)


@given(PAIRS)
def test_only_the_difference_from_the_reference_counts(pairs):
    chosen, rejected, kept, other = np.array(pairs).T
    moved = dpo(chosen - 3, rejected - 7, kept - 3, other - 7)
    assert moved.losses == pytest.approx(dpo(chosen, rejected, kept, other).losses, abs=1e-9)


def test_far_from_the_middle_it_keeps_its_digits():
    right, wrong = dpo([0.0], [-1e5], [0.0], [0.0]), dpo([-1e5], [0.0], [0.0], [0.0])
    assert right.loss == 0.0
    assert right.chosen[0] == 0.0
    assert wrong.loss == pytest.approx(1e4)
    assert wrong.chosen[0] == pytest.approx(-0.1)
    assert dpo([500.0], [0.0], [0.0], [0.0]).loss == pytest.approx(math.exp(-50), rel=1e-9)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (([], [], [], []), "shapes"),
        (([0.0], [0.0, 1.0], [0.0], [0.0]), "shapes"),
        (([0.0], [math.nan], [0.0], [0.0]), "not all finite"),
    ],
)
def test_pairs_that_make_no_sense_are_refused(arrays, message):
    with pytest.raises(ValueError, match=message):
        dpo(*arrays)
