"""The judge."""

import pytest
from model_fakes import ScriptedModel, failing

from designsearch.runtime.models.requests import Reply
from designsearch.runtime.records import Question
from designsearch.search.judge import Judge, Judgement, golds_of, majority, make_judge

QUESTION = Question("q", "Which cup broke?", "the blue one", alternatives=("my blue cup",))


def verdict(right, reason="so it is"):
    return {"reason": reason, "verdict": "correct" if right else "incorrect"}


def test_all_answers_are_judged_in_one_batch_and_in_order():
    model = ScriptedModel(lambda request: verdict("right 1" in request.messages[-1].content))
    answers = [(QUESTION, f"right {n % 2}") for n in range(200)]
    judgements = Judge(model).judge_all(answers)
    assert [one.correct for one in judgements] == [bool(n % 2) for n in range(200)]
    assert model.batches == [200]


def test_nothing_to_judge_asks_nothing():
    model = ScriptedModel(failing)
    assert Judge(model).judge_all([]) == []
    assert model.batches == []


def test_a_judge_sees_question_gold_answers_and_answer():
    model = ScriptedModel(lambda request: verdict(True))
    Judge(model).judge_all([(QUESTION, "the azure one")])
    shown = model.requests[0].messages[-1].content
    for text in ("Which cup broke?", "the blue one", "my blue cup", "the azure one"):
        assert text in shown


def test_replicates_are_calls_of_their_own_and_the_majority_counts():
    model = ScriptedModel(lambda request: verdict(request.replicate != 1, reason=f"reason {request.replicate}"))
    (judgement,) = Judge(model, 3).judge_all([(QUESTION, "blue")])
    assert [request.replicate for request in model.requests] == [0, 1, 2]
    assert judgement == Judgement((True, False, True), reason="reason 0")
    assert judgement.correct is True
    assert judgement.error == ""


def test_a_judge_that_fails_has_not_measured():
    (judgement,) = Judge(ScriptedModel(failing), 2).judge_all([(QUESTION, "blue")])
    assert judgement.verdicts == (None, None)
    assert judgement.correct is None
    assert judgement.error == "judge: invalid: no JSON in the reply"


def test_a_failure_among_verdicts_does_not_count():
    model = ScriptedModel(lambda request: Reply(failure="timeout") if request.replicate else verdict(False))
    (judgement,) = Judge(model, 3).judge_all([(QUESTION, "blue")])
    assert judgement.verdicts == (False, None, None)
    assert judgement.correct is False
    assert judgement.error == ""


def test_a_tie_has_not_measured():
    model = ScriptedModel(lambda request: verdict(request.replicate == 0))
    (judgement,) = Judge(model, 2).judge_all([(QUESTION, "blue")])
    assert judgement.correct is None
    assert judgement.error == "judge: 1 of 2 verdicts say that the answer is right"


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        ((), None),
        ((None,), None),
        ((True, False), None),
        ((True, None, False), None),
        ((True, None), True),
        ((False, False, True), False),
        ((True, True, False), True),
    ],
)
def test_majority(verdicts, said):
    assert majority(verdicts) is said


def test_gold_answers_in_words():
    assert golds_of(QUESTION) == ["the blue one", "my blue cup"]
    assert golds_of(Question("q", "?", True)) == ["yes"]
    assert golds_of(Question("q", "?", ["a", "b"])) == ["a, b"]
    assert golds_of(Question("q", "?", None, alternatives=(" ",))) == []


def test_what_a_judgement_depends_on_changes_the_fingerprint():
    model = ScriptedModel(failing)
    made = {Judge(model).fingerprint, Judge(model, 3).fingerprint, Judge(ScriptedModel(failing, "b")).fingerprint}
    assert len(made) == 3


def test_no_model_is_no_judge():
    assert make_judge(None, 3) is None
    made = make_judge(ScriptedModel(failing), 3)
    assert made is not None
    assert made.replicates == 3
