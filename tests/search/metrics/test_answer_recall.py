import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.records import Question
from designsearch.search.metrics.answer_recall import answer_recall, needles_of, prepare


def recall(answer, context, **more):
    return answer_recall(prepare([Question("q", "?", answer, **more)]), 0, context)


@pytest.mark.parametrize(
    ("answer", "context", "expected"),
    [
        ("A painting of the sunset", "She painted two SUNSETS.", 1.0),
        ("a red kayak and a paddle", "the kayak", 1 / 3),
        ("Maria Lopez.", "maria", 0.5),
        ("café", "cafe", 0.0),
        ("café", "the cafe\u0301 at noon", 1.0),
        # numbers
        ("1,200 euros", "it cost 1200 euro", 1.0),
        ("$12.50", "12.5 dollars", 1.0),
        ("five dogs", "we have 5 dogs", 1.0),
        ("5 dogs", "we have five dogs", 1.0),
        ("twenty-one", "the 21st time", 1.0),
        ("21", "twenty one of them", 1.0),
        ("21", "twenty of one kind", 0.0),
        ("12", "1200 or 312 or 1.2", 0.0),
        ("355 kcal", "355kcal each", 1.0),
        ("8:30", "at 08:30 sharp", 1.0),
        ("8:30", "8 people, 30 chairs", 0.0),
        # dates
        ("7 May 2023", "[2023-05-07] hello", 1.0),
        ("7 May 2023", "May 7th, 2023", 1.0),
        ("7 May 2023", "8 May 2023", 0.0),
        ("May 2023", "on the 7th of May, 2023", 1.0),
        ("7 May 2023", "in May 2023", 0.0),
        ("7 May", "2023-05-07", 1.0),
        ("2023", "2023-05-07", 1.0),
        ("7 kayaks", "on 2023-05-07 I bought kayaks", 0.5),
        ("The Sunday before 25 May 2023", "last sunday, written on 2023-05-25", 1.0),
        # scripts without spaces
        ("绿茶", "我喜欢绿茶和咖啡", 1.0),
        ("绿茶", "我喜欢咖啡", 0.0),
        ("हिन्दी किताब", "मुझे हिन्दी पसंद है", 0.5),
        # function words alone
        ("Not now", "not now, later", 1.0),
        ("Not now", "later", 0.0),
        # other values
        (15, "fifteen weeks", 1.0),
        (2022, "in 2022", 1.0),
        (["rye", "oats"], "oats only", 0.5),
    ],
)
def test_share_that_stands_in_the_context(answer, context, expected):
    assert recall(answer, context) == pytest.approx(expected)


@pytest.mark.parametrize("answer", [None, "", "Yes", "no.", True, False, "...", []])
def test_what_no_context_can_hold_is_not_measured(answer):
    assert recall(answer, "yes no true") is None


def test_a_question_that_is_not_answerable_is_not_measured():
    assert recall("tea", "tea", answerable=False) is None


def test_the_best_of_several_answers_counts():
    assert recall("a blue kayak", "a canoe", alternatives=("a canoe", "a raft")) == 1.0


def test_a_repeated_word_counts_once():
    assert len(needles_of("tea, more tea and the teas")) == 1


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_between_0_and_1_and_never_lowered_by_more_text(answer, context, more):
    low, high = recall(answer, context), recall(answer, f"{context} \n {more}")
    if low is None:
        assert high is None
    else:
        assert 0 <= low <= high <= 1


@given(st.lists(st.sampled_from(["tea", "five", "12", "7 May 2023", "lake house", "茶"]), min_size=1, max_size=5))
def test_an_answer_stands_in_itself(parts):
    assert recall("; ".join(parts), "so: " + "; ".join(reversed(parts))) == 1.0
