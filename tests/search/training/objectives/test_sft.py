import numpy as np
import pytest

from designsearch.search.training.objectives.sft import sft


def test_the_reference_values(vectors):
    case = vectors["reward_model_sft"]
    found = sft(case["token_logps"])
    assert found.loss == pytest.approx(case["loss"], abs=1e-9)
    assert found.loss != pytest.approx(case["per_example_mean_wrong"], abs=1e-3)


def test_the_gradient_agrees_with_finite_differences():
    batch = [np.array([-0.1, -0.2, -0.3]), np.zeros(0), np.array([-1.0, -2.0])]
    found, step = sft(batch), 1e-6
    assert [slopes.shape for slopes in found.gradient] == [(3,), (0,), (2,)]
    for example, slopes in enumerate(found.gradient):
        for token in range(len(slopes)):
            moved = [[logps.copy() for logps in batch] for _ in range(2)]
            moved[0][example][token] += step
            moved[1][example][token] -= step
            assert slopes[token] == pytest.approx((sft(moved[0]).loss - sft(moved[1]).loss) / (2 * step), abs=1e-9)


@pytest.mark.parametrize("batch", [[], [[], []]])
def test_a_batch_without_a_token_has_no_loss(batch):
    with pytest.raises(ValueError, match="without a target token"):
        sft(batch)


def test_a_log_probability_that_is_not_finite_is_refused():
    with pytest.raises(ValueError, match="not all finite"):
        sft([[-0.1], [float("-inf")]])
