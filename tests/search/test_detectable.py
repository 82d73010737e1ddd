import numpy as np
import pytest

from designsearch.search.detectable import detectable_gain
from designsearch.search.mcnemar import mcnemar


@pytest.mark.parametrize(("n", "alpha", "gains"), [(100, 0.1, 4), (100, 0.05, 5), (40, 0.25, 2), (10, 0.01, 7)])
def test_the_least_gain_is_the_first_that_the_test_accepts(n, alpha, gains):
    assert detectable_gain(n, alpha).least == gains / n
    assert mcnemar(gains, 0) <= alpha < mcnemar(gains - 1, 0)


def test_too_few_questions_detect_nothing():
    assert detectable_gain(3, 0.1) is None
    assert detectable_gain(0, 0.1) is None
    assert detectable_gain(4, 0.1).likely is None


@pytest.mark.parametrize("n", [60, 150, 400])
def test_the_likely_gain_is_accepted_about_as_often_as_promised(n):
    gain, changed = detectable_gain(n, 0.1, power=0.8).likely, 0.2
    rng = np.random.default_rng(0)
    outcomes = rng.multinomial(n, [(changed + gain) / 2, (changed - gain) / 2, 1 - changed], size=400)
    accepted = np.mean([mcnemar(int(g), int(lost)) <= 0.1 for g, lost, _ in outcomes])
    assert 0.68 <= accepted <= 0.88


def test_more_questions_and_a_laxer_alpha_detect_less():
    assert detectable_gain(400, 0.1).likely < detectable_gain(100, 0.1).likely < detectable_gain(100, 0.05).likely
    assert detectable_gain(100, 0.1).likely < detectable_gain(100, 0.1, changed=0.4).likely
