import pytest

from designsearch.runtime.records import Answer, Question
from designsearch.search.metrics.accuracy import correct, needs_judge

OPEN = Question("q", "?", "by the lake")
NUMBER = Question("q", "?", 3, "number")
UNANSWERABLE = Question("q", "?", answerable=False)
ABSTAINS = Answer("", abstained=True)


@pytest.mark.parametrize(
    ("question", "answer", "judged", "asks", "right"),
    [
        (UNANSWERABLE, ABSTAINS, None, False, True),
        (UNANSWERABLE, Answer("by the lake"), True, False, False),
        (OPEN, ABSTAINS, True, False, False),
        (OPEN, Answer("By the lake."), False, False, True),
        (OPEN, Answer("near a lake"), True, True, True),
        (OPEN, Answer("near a lake"), False, True, False),
        (OPEN, Answer("near a lake"), None, True, None),
        (OPEN, Answer(""), True, False, False),
        (NUMBER, Answer("4"), True, False, False),
        (NUMBER, Answer("three of them, I think"), True, True, True),
    ],
)
def test_correct(question, answer, judged, asks, right):
    assert needs_judge(question, answer) is asks
    assert correct(question, answer, judged) is right
