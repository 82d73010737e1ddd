import re

import pytest

from designsearch.dsl.operators import When
from designsearch.dsl.when import PATTERN, WhenError, parse_when


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("question.has_date", When("question.has_date", "question.has_date")),
        (" ranking.empty ", When("ranking.empty", "ranking.empty")),
        ("ranking.size<5", When("ranking.size < 5", "ranking.size", 5)),
        ("ranking.top_score <  0.50", When("ranking.top_score < 0.5", "ranking.top_score", 0.5)),
        ("ranking.top_score < -1e-3", When("ranking.top_score < -0.001", "ranking.top_score", -0.001)),
    ],
)
def test_the_closed_list(text, test):
    assert parse_when(text) == test
    assert re.fullmatch(PATTERN, text)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("ranking.sise < 3", "there is no test ranking.sise", "did you mean ranking.size?"),
        ("question.has_date < 3", "question.has_date is true or false and is not compared", "write question.has_date"),
        ("ranking.size > 3", "ranking.size can only be compared with <", "write ranking.size < number"),
        ("ranking.size", "ranking.size can only be compared with <", "write ranking.size < number"),
        ("ranking.size < 2.5", "ranking.size is compared with a whole number, not 2.5", "write ranking.size < 5"),
        (
            "ranking.top_score < x",
            "ranking.top_score is compared with a number, not x",
            "write ranking.top_score < 0.5",
        ),
    ],
)
def test_mistakes(text, message, hint):
    with pytest.raises(WhenError) as error:
        parse_when(text)
    assert (error.value.message, error.value.hint) == (message, hint)
    assert not re.fullmatch(PATTERN, text)


@pytest.mark.parametrize("text", ["", "not a test", "__import__('os')", "ranking.size < 3 and ranking.empty"])
def test_other_words_list_the_tests(text):
    with pytest.raises(WhenError) as error:
        parse_when(text)
    assert "question.asks_current" in error.value.hint
