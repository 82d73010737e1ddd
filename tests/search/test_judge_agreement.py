"""How far a judge is trusted."""

from evaluate_fakes import task_of
from model_fakes import ScriptedModel, failing

from designsearch.runtime.records import Question
from designsearch.search.judge import Judge
from designsearch.search.judge_agreement import Agreement, agreement, calibrate
from designsearch.search.results import QuestionResult

QUESTIONS = (
    Question("n", "How many?", 3, "number"),
    Question("y", "Is it?", True, "boolean"),
    Question("o", "Why?", "because of the rain"),
    Question("u", "Who?", answerable=False),
)


def result(question, answer, verdicts=(), **more):
    return QuestionResult("d", question, "h", "?", answer=answer, verdicts=verdicts, **more)


def says(right):
    return ScriptedModel(lambda request: {"reason": "", "verdict": "correct" if right(request) else "incorrect"})


def test_verdicts_are_counted_and_a_tie_or_failure_is_not_one():
    results = [
        result("o", "rain", (True,)),
        result("o", "snow", (False, False, True)),
        result("o", "hail", (True, False)),
        result("o", "fog", (None, None)),
        result("o", "sun"),
    ]
    found = agreement(Judge(says(lambda _: True)), [task_of((), QUESTIONS)], results)
    assert (found.verdicts, found.unmeasured, found.known) == (2, 2, 0)
    assert (found.alike, found.pairs) == (1, 4)
    assert found.replicates == 0.25


def test_what_typed_equality_decided_is_judged_as_well():
    judge = Judge(says(lambda request: "\n3\n" in request.messages[-1].content))
    results = [
        result("n", "3"),  # right, and judged so
        result("n", "4"),  # wrong, but the gold answer 3 is in the request, too
        result("y", "yes"),  # right, and judged wrong
        result("y", "yes", replicate=1),  # the same answer counts once
        result("o", "rain"),  # only a judge can tell
        result("u", "Ana"),  # not answerable
        result("n", "", abstained=True),
        result("n", None, error="answerer: timeout"),
    ]
    found = agreement(judge, [task_of((), QUESTIONS)], results)
    assert (found.known, found.agreed) == (3, 1)
    assert (found.verdicts, found.unmeasured, found.pairs, found.replicates) == (0, 0, 0, None)


def test_at_most_twenty_chosen_by_the_seed_in_one_batch():
    decided = [(QUESTIONS[0], str(n), False) for n in range(100)]
    model = says(lambda _: False)
    assert calibrate(Judge(model), decided)[:2] == (20, 20)
    assert calibrate(Judge(model), decided)[:2] == (20, 20)
    assert model.batches == [20, 20]
    assert model.requests[:20] == model.requests[20:]
    calibrate(Judge(model), decided, seed=1)
    assert model.requests[:20] != model.requests[40:]


def test_a_failed_judge_agrees_with_nothing():
    found = agreement(Judge(ScriptedModel(failing), 2), [task_of((), QUESTIONS)], [result("n", "3")])
    assert found == Agreement("scripted", 0, 0, 0, 0, 0, 0)


def test_repetitions_of_known_answers_count_for_the_agreement_of_repetitions():
    judge = Judge(says(lambda request: request.replicate != 1), 3)
    found = agreement(judge, [task_of((), QUESTIONS)], [result("n", "3")])
    assert (found.known, found.agreed) == (1, 1)
    assert (found.alike, found.pairs) == (1, 3)


def test_plain_json():
    assert Agreement("j", 34, 2, 20, 19, 100, 97).to_json() == {
        "name": "j",
        "verdicts": 34,
        "unmeasured": 2,
        "typed_equality": {"asked": 20, "agreed": 19},
        "replicates_agree": 0.97,
    }
