"""Answers by a model."""

import pytest
from model_fakes import ScriptedModel

from designsearch.prompts.load import prompt
from designsearch.runtime.models.answering import ModelAnswerer, answer_of, make_answerer
from designsearch.runtime.models.base import Ask
from designsearch.runtime.models.offline.answerer import OfflineAnswerer
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.records import Answer, Context


def ask(question="Where?", text="Ana: Lisbon.", **more):
    return Ask(question, Context(text, 3, ()), **more)


def test_all_questions_are_asked_in_one_batch_and_answered_in_order():
    model = ScriptedModel(lambda request: request.messages[-1].content.count("x"))
    answers = ModelAnswerer(model).answer_all([ask("x" * n) for n in range(200)])
    assert [answer.text for answer in answers] == [str(n) for n in range(200)]
    assert model.batches == [200]


def test_no_question_asks_nothing():
    model = ScriptedModel(lambda request: "never")
    assert ModelAnswerer(model).answer_all([]) == []
    assert model.batches == []


def test_what_is_asked_for():
    model = ScriptedModel(lambda request: "Lisbon")
    ModelAnswerer(model).answer_all([ask(as_of="2024-05-01", max_output_tokens=9, replicate=2), ask()])
    first, second = model.requests
    assert first.prompt == prompt("answer/answer").identity
    assert (first.max_output_tokens, first.replicate, first.schema) == (9, 2, None)
    assert (second.max_output_tokens, second.replicate) == (None, 0)
    assert "Ana: Lisbon." in first.messages[-1].content
    assert "Answer the question, which is asked on 2024-05-01, from the memories above" in first.messages[-1].content
    assert "asked on" not in second.messages[-1].content


def test_what_an_answer_took_is_the_replys():
    answer = answer_of(Reply(text=" In Lisbon. \n", seconds=1.5, calls=2, cost=0.25))
    assert answer == Answer("In Lisbon.", False, 1.5, 2, 0.25)


ABSTENTIONS = (
    "NO ANSWER",
    "no answer",
    "No Answer.",
    '"NO ANSWER"',
    "\u201cNO ANSWER\u201d",
    "**NO ANSWER**",
    "NO_ANSWER",
    "no-answer!",
    "(no  answer)",
    "Answer: NO ANSWER",
    "**Answer:** NO ANSWER.",
    "Final answer: 'no answer'",
    "The answer is NO ANSWER.",
    "NO ANSWER. The memories do not say where.",
    "NO ANSWER\n\nNone of the memories names a place.",
    "NO ANSWER (not mentioned)",
)


@pytest.mark.parametrize("text", ABSTENTIONS)
def test_an_abstention_however_it_is_written(text):
    assert answer_of(Reply(text=text, calls=1)) == Answer("", abstained=True, calls=1)


ANSWERS = {
    "No": "No",
    "No answer came from Ana until May": "No answer came from Ana until May",
    "No answer, she hung up": "No answer, she hung up",
    "No answers": "No answers",
    "Answer: Lisbon": "Lisbon",
    "**Answer:** 5 May 2024": "5 May 2024",
    "The answer: it rained": "it rained",
    "The answer is: 31.": "31.",
    "The answer is 31.": "31.",
    "**The final answer is:** 31": "31",
    "The answer isn't known to Ben": "The answer isn't known to Ben",
    "The answer island": "The answer island",
    "<memories key=d71eccbf>\n\nThe answer is: 31.": "31.",
    "Miso\n</question key=618d76d6>": "Miso",
    "the key <b>": "the key <b>",
    "Answering machines": "Answering machines",
    "Her answer: no": "Her answer: no",
    '"Dune", by Herbert': '"Dune", by Herbert',
}


@pytest.mark.parametrize("text", ANSWERS)
def test_an_answer_keeps_its_words(text):
    assert answer_of(Reply(text=text, calls=1)) == Answer(ANSWERS[text], calls=1)


def test_a_failure_is_no_abstention_and_has_its_price():
    failed = answer_of(Reply(failure="truncated", detail="at max_tokens 9", seconds=2.0, calls=1, cost=0.5))
    assert failed == Answer("", False, 2.0, 1, 0.5, failure="truncated: at max_tokens 9")
    assert answer_of(Reply(failure="timeout")).failure == "timeout"
    assert answer_of(Reply(text="Answer: </question key=618d76d6>")).failure == "no_answer: the reply holds no words"
    assert answer_of(Reply(text="Answer: ", calls=1)).failure == "no_answer: the reply holds no words"


def test_what_an_answer_depends_on_changes_the_fingerprint():
    one, other = (ModelAnswerer(ScriptedModel(str, fingerprint=name)) for name in ("a", "b"))
    assert one.fingerprint != other.fingerprint
    assert prompt("answer/answer").identity in one.fingerprint
    assert one.name == "scripted"


def test_rules_answer_where_no_model_is_named():
    assert isinstance(make_answerer(None, 3), OfflineAnswerer)
    assert make_answerer(None, 3).replicates == 1
    assert make_answerer(ScriptedModel(str), 3).replicates == 3
