import sys
from pathlib import Path

import pytest

from designsearch.search.results import Key, QuestionResult
from designsearch.search.scores import Scores

sys.path.insert(0, str(Path(__file__).parent))  # for study_fakes, which several test files share


def result_of(number, correct=True, history="h", **more):
    """The result of one question, with defaults."""
    given = {"design": "d", "question_id": f"q{number}", "history": history, "question": "?", "context": "text"}
    return QuestionResult(**{**given, "answer": "a", "correct": correct, **more})


def scores_of(values, history="h"):
    """Scores of numbered questions; ``None`` is a question that was not measured."""
    keys = [Key(history, f"q{i:03d}") for i in range(len(values))]
    measured = {key: float(v) for key, v in zip(keys, values, strict=True) if v is not None}
    return Scores(measured, tuple(key for key in keys if key not in measured))


@pytest.fixture(scope="session")
def make_result():
    return result_of


@pytest.fixture(scope="session")
def make_scores():
    return scores_of
