import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.records import Question
from designsearch.search.metrics.atm import atm_score, jaccard


def ask(answer, answer_type, **more):
    return Question("q", "?", answer, answer_type, **more)


@pytest.mark.parametrize(
    ("question", "answer", "judged", "score"),
    [
        (ask(5, "number"), "five", None, 1.0),
        (ask(5, "number"), "6", 1.0, 0.0),
        (ask(5, "number"), "about five", None, 0.0),
        (ask("2023-03-05", "date"), "5 March 2023", None, 1.0),
        (ask(True, "boolean"), "no", None, 0.0),
        (ask(["a", "b", "c"], "list"), "b, c, d", None, 0.5),
        (ask(["a", "b"], "list"), "", None, 0.0),
        (ask("a; b", "list", alternatives=("x; y",)), "y and x", None, 1.0),
        (ask("a walk", "text"), "a walk", None, None),
        (ask("a walk", "text"), "she walked", 0.5, 0.5),
        (ask("some", "number"), "5", None, None),
        (ask(None, "number"), "5", None, None),
        (ask(5, "number", answerable=False), "5", None, None),
    ],
)
def test_scores(question, answer, judged, score):
    assert atm_score(question, answer, judged) == score


@given(st.lists(st.sampled_from("abcdef")), st.lists(st.sampled_from("abcdef")))
def test_jaccard_of_sets(a, b):
    union = set(a) | set(b)
    assert jaccard(a, b) == jaccard(b, a) == (len(set(a) & set(b)) / len(union) if union else 0.0)
