import math

from designsearch.search.results import Key
from designsearch.search.scores import scores


def test_what_was_not_measured_is_kept_apart(make_result):
    results = [
        make_result(1, metrics={"f1": 0.8}),
        make_result(2, metrics={"f1": math.nan}),
        make_result(3, metrics={"f1": 0.6}),
        make_result(4, error="the judge gave no verdict"),
        make_result(5, metrics={"f1": 1.0}),
        make_result(6),
    ]
    found = scores(results, "f1")
    assert found.measured == {Key("h", "q1"): 0.8, Key("h", "q3"): 0.6, Key("h", "q5"): 1.0}
    assert found.unmeasured == (Key("h", "q2"), Key("h", "q4"))
    assert found.not_applicable == 1


def test_replicates_are_averaged_over_those_measured(make_result):
    verdicts = [(1, True), (1, False), (1, None), (2, None), (2, None)]
    results = [make_result(n, correct, replicate=i) for i, (n, correct) in enumerate(verdicts)]
    found = scores(results, "accuracy")
    assert found.measured == {Key("h", "q1"): 0.5}
    assert found.unmeasured == (Key("h", "q2"),)


def test_the_same_id_in_two_histories_is_two_questions(make_result):
    found = scores([make_result(1, history="a"), make_result(1, correct=False, history="b")], "accuracy")
    assert found.measured == {Key("a", "q1"): 1.0, Key("b", "q1"): 0.0}
