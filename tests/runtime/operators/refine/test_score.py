import numpy as np
import pytest
from pydantic import ValidationError
from runtime_fakes import ask, call, memory_of, ranked, rows_of, stage

from designsearch.runtime.feature_names import feature_of
from designsearch.runtime.operators.refine import score as module
from designsearch.runtime.operators.refine.score import feature_values

WINDOWS = "storage: {units: {op: records}, views: {window: {op: window}}}"
M = memory_of([{"text": t, "session": "s"} for t in ("cat?", "two cats and 3 dogs", "tea", "cat")], WINDOWS)


def test_a_weighted_sum_of_normalised_features():
    ranking, asked = ranked([0, 1, 2, 3], [2, 0]), ask("cat", "tea")
    weights = {"question_mark": 2.0, "digits": -1.0, "bm25": 0.5, "cosine.window": 0.25}
    made = call("cascade", "score", ranking, asked, M, features=weights)
    expected = sum(w * feature_values(name, ranking, asked, M, "zscore") for name, w in weights.items())
    for q in range(2):
        ids, scores = made.of_question(q)
        own = slice(*ranking.offsets[q : q + 2])
        by_id = dict(zip(ranking.ids[own].tolist(), expected[own], strict=True))
        assert ids.tolist() == sorted(by_id, key=lambda u: (-by_id[u], u))
        assert scores == pytest.approx([by_id[u] for u in ids.tolist()])


def test_z_scores_are_of_the_candidates_of_the_question():
    values = feature_values("digits", ranked([0, 1], [1], [0, 1, 2, 3]), ask("", "", ""), M, "zscore")
    assert values == pytest.approx([-1, 1, 0, -1 / 3**0.5, 3**0.5, -1 / 3**0.5, -1 / 3**0.5])


def test_plain_values():
    made = call("cascade", "score", ranked([0, 1, 2]), ask(""), M, features={"digits": 3.0}, normalize="none")
    assert rows_of(made) == [[1, 0, 2]]
    assert made.scores.tolist() == [3.0, 0.0, 0.0]


def test_nothing_new_comes_in():
    assert rows_of(call("cascade", "score", ranked([3], []), ask("tea", "tea"), M, features={"bm25": 1.0})) == [[3], []]


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ({}, "name at least one feature"),
        ({"bm52": 1.0}, r"unknown feature bm52 \(did you mean bm25\?\)"),
        ({"digits.window": 1.0}, "feature digits reads no view: write digits"),
        ({"bm25": float("nan")}, "finite"),
    ],
)
def test_mistakes_are_named(features, message):
    with pytest.raises(ValidationError, match=message):
        stage("cascade", "score", features=features)


def test_a_name_stands_for_an_operator_and_a_view():
    assert feature_of("bm25")[1].view == "raw"
    assert feature_of("bm25.window")[1].view == "window"


def test_features_are_computed_once_for_a_batch(monkeypatch):
    calls = []
    real = module.feature_values
    monkeypatch.setattr(module, "feature_values", lambda name, *rest: calls.append(name) or real(name, *rest))
    m, ranking, asked = memory_of(["cat", "tea 3"]), ranked([0, 1]), ask("cat")
    for weight in (1.0, 2.0):
        call("cascade", "score", ranking, asked, m, features={"digits": weight, "bm25": 1.0})
    assert sorted(calls) == ["bm25", "digits"]
    call("cascade", "score", ranked([1]), asked, m, features={"digits": 1.0})
    call("cascade", "score", ranking, ask("tea"), m, features={"digits": 1.0})
    assert len(calls) == 4


def test_scores_of_equal_units_tie_by_id():
    m = memory_of(["cat", "tea", "cat", "cat"])
    every = dict.fromkeys(("bm25", "cosine", "coverage", "soft_terms", "length"), 1.0)
    made = call("cascade", "score", ranked({3: 1.0, 2: 1.0, 0: 1.0, 1: 1.0}), ask("a cat"), m, features=every)
    assert rows_of(made) == [[0, 2, 3, 1]]
    assert np.unique(made.scores).size == 2
