import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.search.training.judging.quality import BOUNDS, LEVELS, differ, judgement, level_of, scored, written


@given(st.integers(1, 100))
def test_every_score_lies_on_one_level(score):
    low, high = BOUNDS[level_of(score)]
    assert low <= score <= high
    assert sum(low <= score <= high for low, high in BOUNDS.values()) == 1


@given(st.floats(1, 100), st.floats(1, 100))
def test_a_higher_score_is_on_no_lower_level(one, other):
    low, high = sorted((one, other))
    assert LEVELS.index(level_of(low)) <= LEVELS.index(level_of(high))


def test_halves_are_rounded_up():
    assert [level_of(score) for score in (30.49, 30.5, 55.5, 85.49)] == ["bad", "weak", "partial", "good"]
    assert judgement([("stop", 85.5)])[0].score == 86


@pytest.mark.parametrize("score", [0, 0.99, 100.01, -3])
def test_scores_beyond_the_scale_are_refused(score):
    with pytest.raises(ValueError, match=r"not in 1\.\.100"):
        level_of(score)


def test_what_is_written_of_a_judgement():
    found = judgement([("search", 90), ("stop", 1)])
    assert json.loads(written(found)) == {
        "step_scores": [
            {"step_index": 1, "step_type": "search", "quality_level": "excellent", "score": 90},
            {"step_index": 2, "step_type": "stop", "quality_level": "bad", "score": 1},
        ]
    }
    assert scored(found) == (("search", 90.0), ("stop", 1.0))


def test_judgements_differ_by_level_and_not_by_score():
    one = judgement([("search", 90), ("stop", 60)])
    assert not differ(one, judgement([("search", 100), ("stop", 56)]))
    assert differ(one, judgement([("search", 90), ("stop", 55)]))
    with pytest.raises(ValueError, match="different steps"):
        differ(one, judgement([("search", 90), ("skip", 60)]))
    with pytest.raises(ValueError, match="different steps"):
        differ(one, judgement([("search", 90)]))
