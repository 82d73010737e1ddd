"""Answers, and whether they are right."""

import pytest
from evaluate_fakes import design_of
from model_fakes import ScriptedModel, failing

from designsearch.runtime.models.answering import ModelAnswerer
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.records import Answer, Context, Question
from designsearch.runtime.services import Services
from designsearch.search.answered import Answered, answered, with_answer
from designsearch.search.judge import Judge
from designsearch.search.results import QuestionResult

DESIGN = design_of("retrieval: [{op: recent, k: 1}]")
WHY = Question("w", "Why?", "because of the rain")
MANY = Question("n", "How many?", 3, "number")
NOBODY = Question("u", "Who?", answerable=False)
OPEN = Question("g", "And?", None)


def context(text="It rained."):
    return Context(text, 3, ())


def model(*texts):
    """Answers in turn, forever."""
    given = iter(texts * 999)
    return ScriptedModel(lambda request: next(given))


def judge(right=True, times=1):
    verdict = {"reason": "", "verdict": "correct" if right else "incorrect"}
    return Judge(ScriptedModel(lambda request: verdict), times)


def ask(questions, answers, judge=None, replicates=1, services=None):
    answerer = ModelAnswerer(answers, replicates)
    return answered(DESIGN, answerer, judge, services or Services(), [(q, context()) for q in questions])


def test_only_what_typed_equality_cannot_decide_is_judged():
    by = judge(times=2)
    given = ask([WHY, MANY, NOBODY, OPEN, WHY], model("it rained", "3", "NO ANSWER", "so", "NO ANSWER"), by)
    assert [one.correct for (one,) in given] == [True, True, True, None, True]
    assert [one.verdicts for (one,) in given] == [(True, True), (), (), (), (True, True)]
    assert by._model.batches == [2]


@pytest.mark.parametrize(("right", "times"), [(True, 1), (False, 3)])
def test_the_judges_word_counts_where_typed_equality_has_none(right, times):
    ((one,),) = ask([WHY], model("it rained"), judge(right, times))
    assert one == Answered(Answer("it rained", calls=1), right, (right,) * times)


def test_without_a_judge_it_stays_open():
    assert ask([WHY], model("it rained")) == [(Answered(Answer("it rained", calls=1)),)]


def test_a_judge_that_fails_leaves_it_not_measured_and_says_why():
    ((one,),) = ask([WHY], model("it rained"), Judge(ScriptedModel(failing)))
    assert (one.correct, one.verdicts, one.error) == (None, (None,), "judge: invalid: no JSON in the reply")


def test_a_failed_answer_is_not_judged():
    failed = model(Reply(failure="truncated", detail="at 9 tokens", calls=1, cost=0.5))
    ((one,),) = ask([WHY], failed, Judge(ScriptedModel(failing)))
    assert (one.correct, one.verdicts, one.error) == (None, (), "answerer: truncated: at 9 tokens")
    assert one.answer.cost == 0.5


def test_replicates_are_asked_and_judged_in_one_batch_each():
    answers, by = model("it rained", "rain", "no idea"), judge()
    given = ask([WHY, Question("x", "Why so?", "rain came down")], answers, by, replicates=3)
    assert [[one.answer.text for one in own] for own in given] == [["it rained", "rain", "no idea"]] * 2
    assert answers.batches == [6]
    assert [request.replicate for request in answers.requests] == [0, 1, 2] * 2
    assert by._model.batches == [6]


def test_what_was_answered_and_judged_before_is_not_asked_again():
    answers, by, services = model("it rained"), judge(), Services()
    first = ask([WHY], answers, by, services=services)
    assert ask([WHY], answers, by, services=services) == first
    assert (answers.batches, by._model.batches) == ([1], [1])


def test_a_failed_judgement_is_asked_for_again():
    replies = iter([Reply(failure="timeout"), {"reason": "", "verdict": "correct"}])
    by, services = Judge(ScriptedModel(lambda request: next(replies))), Services()
    assert ask([WHY], model("it rained"), by, services=services)[0][0].correct is None
    assert ask([WHY], model("it rained"), by, services=services)[0][0].correct is True


def test_the_result_with_an_answer():
    plain = QuestionResult("d", "w", "h", "Why?", context="It rained.", seconds=1.0)
    good = with_answer(plain, WHY, Answered(Answer("rain", False, 2.0, 3, 0.5), True, (True,)), 1)
    assert (good.answer, good.abstained, good.correct, good.verdicts) == ("rain", False, True, (True,))
    assert (good.seconds, good.calls, good.cost, good.error, good.replicate) == (3.0, 3, 0.5, "", 1)
    assert good.metrics["f1"] > 0
    assert QuestionResult.from_json(good.to_json()) == good


def test_the_result_with_a_failed_answer():
    plain = QuestionResult("d", "w", "h", "Why?", context="It rained.", seconds=1.0)
    failed = Answered(Answer("", False, 2.0, 1, 0.5, "truncated"), error="answerer: truncated")
    bad = with_answer(plain, WHY, failed, 0)
    assert (bad.answer, bad.abstained, bad.correct) == (None, False, None)
    assert bad.metrics == {"f1": None, "bleu1": None, "exact_match": None}
    assert with_answer(plain, NOBODY, failed, 0).metrics == {}
    assert (bad.seconds, bad.calls, bad.cost, bad.error) == (3.0, 1, 0.5, "answerer: truncated")
