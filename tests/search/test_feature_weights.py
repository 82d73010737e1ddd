from dataclasses import replace

import numpy as np
import pytest

from designsearch.search.conditional_logit import Candidates, fit
from designsearch.search.feature_table import FeatureTable
from designsearch.search.feature_weights import adapt_weights, fit_weights


def table(questions=60, seed=0, names=("a", "b", "noise")):
    """Questions whose gold candidate is drawn by the planted weights 2 and -1."""
    random = np.random.default_rng(seed)
    features = random.normal(size=(questions, 8, len(names)))
    chances = np.exp(features[:, :, :2] @ np.array([2.0, -1.0]))
    gold = np.zeros((questions, 8), bool)
    for row, chance in enumerate(chances):
        gold[row, random.choice(8, p=chance / chance.sum())] = True
    data = Candidates(features.reshape(-1, len(names)), np.arange(questions + 1) * 8, gold.ravel())
    return FeatureTable(names, data, np.zeros(questions, np.int64))


def test_what_matters_is_found():
    found = fit_weights(table(400), 1.0, few=False)
    assert found.weights["a"] == pytest.approx(2.0, abs=0.3)
    assert found.weights["b"] == pytest.approx(-1.0, abs=0.3)
    assert found.questions == 400


def test_known_weights_are_moved_only_as_far_as_the_questions_ask_for():
    few = table(5, seed=3)
    known = {"b": -1.0, "a": 2.0, "gone": 4.0}
    held = adapt_weights(few, 1e6, known)
    assert held.weights == {"a": 2.0, "b": -1.0}, "held firmly they stay; what cannot be computed falls away"
    free = adapt_weights(few, 1e-3, known).weights
    assert free == pytest.approx(
        dict(zip("ab", fit(few.data.columns(np.array([0, 1])), 1e-3), strict=True)), rel=0.05
    ), "held loosely they are what the questions alone say"
    assert free != held.weights


def test_known_weights_help_where_questions_are_few():
    unseen = table(300, seed=9)

    def right(weights):
        row = np.array([weights.get(name, 0.0) for name in unseen.names])
        best = (unseen.data.features @ row).reshape(-1, 8).argmax(axis=1)
        return unseen.data.gold.reshape(-1, 8)[np.arange(300), best].mean()

    few = table(4, seed=5)
    known = {"a": 1.7, "b": -0.7}
    assert right(adapt_weights(few, 3.0, known).weights) > right(fit_weights(few, 3.0, few=False).weights)


def test_nothing_to_learn_from():
    empty = table(0)
    with pytest.raises(ValueError, match="no training question"):
        adapt_weights(empty, 1.0, {"a": 1.0})
    with pytest.raises(ValueError, match="none of the known features"):
        adapt_weights(table(3), 1.0, {"gone": 1.0})


def test_candidates_that_are_all_alike_are_told():
    made = table(6)
    alike = FeatureTable(made.names, replace(made.data, features=np.ones_like(made.data.features)), made.histories)
    with pytest.raises(ValueError, match="no feature tells candidates with evidence from others: all are alike"):
        fit_weights(alike, 1.0)
