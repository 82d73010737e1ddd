import numpy as np
import pytest
from runtime_fakes import ranked

from designsearch.dsl.when import parse_when
from designsearch.runtime.question_tests import holds
from designsearch.runtime.records import Rankings


@pytest.mark.parametrize(
    ("test", "question", "expected"),
    [
        ("question.has_date", "What happened on 3 May?", True),
        ("question.has_date", "in 2023", True),
        ("question.has_date", "two weeks ago", True),
        ("question.has_date", "last Friday", True),
        ("question.has_date", "may I?", False),
        ("question.has_date", "room 2300", False),
        ("question.asks_current", "Where does Ana live now?", True),
        ("question.asks_current", "her CURRENT job", True),
        ("question.asks_current", "I know", False),
        ("question.asks_count", "How many cats?", True),
        ("question.asks_count", "how much?", False),
        ("question.asks_count", "", False),
    ],
)
def test_tests_of_the_question(test, question, expected):
    assert holds(parse_when(test), [question], None).tolist() == [expected]


RANKING = ranked({1: 0.9, 2: 0.1}, {}, {3: 0.4})


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("ranking.empty", [False, True, False]),
        ("ranking.size < 2", [False, True, True]),
        ("ranking.top_score < 0.9", [False, True, True]),
        ("ranking.top_score < 0.4", [False, True, False]),
        ("ranking.top_score < -5", [False, True, False]),
    ],
)
def test_tests_of_the_ranking(test, expected):
    assert holds(parse_when(test), ["?"] * 3, RANKING).tolist() == expected


def test_no_ranking_counts_as_an_empty_one():
    for test in ("ranking.empty", "ranking.size < 1", "ranking.top_score < 0"):
        assert holds(parse_when(test), ["?"] * 2, None).tolist() == [True, True]
        assert holds(parse_when(test), ["?"] * 2, Rankings.empty(2)).tolist() == [True, True]


def test_no_questions():
    assert holds(parse_when("ranking.top_score < 1"), [], Rankings.empty(0)).dtype == np.bool_
