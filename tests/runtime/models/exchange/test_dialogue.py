from __future__ import annotations

import pytest
from dialogue_fakes import FACTS, KEY, NOTE, STOP, Ledger, Talk, wanting
from model_stub import Answer, called, refused, said, vector

from designsearch.dsl.problems import OutOfBudgetError
from designsearch.runtime.models.requests import Reply

GOOD = '{"facts": ["has pears"]}'
NO_SCHEMA = refused(400, "'response_format.type' must be 'json_object' or 'text'")
NO_FORMAT = refused(500, "response_format type must be one of: text")


def then(*answers):
    """A script: these answers one after another, the last one for ever."""
    return lambda path, body, number: answers[min(number, len(answers) - 1)]


def test_plain_text():
    talk = Talk(then(said("Oslo")))
    reply = talk.ask(wanting(replicate=2))
    assert reply == Reply("Oslo", None, "", "", 9, 5, reply.seconds, 0.25, 1)
    assert talk.stub.bodies()[0]["seed"] == 2
    assert talk.facts == {"limit": "max_tokens"}
    assert talk.said == []


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"```\r\n{GOOD}\r\n```",
        f"Of course:\n\n```json\r\n{GOOD}\r\n```\nMore?",
        f"So: {GOOD} (done)",
        '{"facts": ["has pears",]}',
        "{'facts': ['has pears']}",
        [{"type": "text", "text": '{"facts": '}, {"type": "text", "text": '["has pears"]}'}],
        f"<think>hm</think>{GOOD}",
    ],
)
def test_json_is_read_with_one_call(content):
    reply = Talk(then(said(content))).ask(wanting(FACTS))
    assert (reply.value, reply.calls) == ({"facts": ["has pears"]}, 1)


def test_an_invalid_reply_is_asked_for_once_more_with_what_was_wrong():
    talk = Talk(then(said('{"fact": "a"}'), said(GOOD)))
    reply = talk.ask(wanting(FACTS))
    assert (reply.value, reply.calls, reply.input_tokens) == ({"facts": ["has pears"]}, 2, 18)
    messages = talk.stub.bodies()[1]["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    assert messages[1]["content"] == '{"fact": "a"}'
    assert "'facts' is a required property" in messages[2]["content"]


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        ('{"facts": ["a"]}\n{"facts": ["b"]}', "there are 2 JSON values in the reply, one was asked for"),
        ('{"facts": [NaN]}', "NaN is no number of JSON"),
        ("There are none.", "there is no JSON in the reply"),
        ('{"facts": "none"}', "at $.facts: 'none' is not of type 'array'"),
    ],
)
def test_a_reply_that_stays_invalid_is_a_failure(content, detail):
    reply = Talk(then(said(content))).ask(wanting(FACTS))
    assert (reply.failure, reply.detail, reply.calls) == ("invalid", detail, 2)
    assert (reply.value, reply.text) == (None, "")


@pytest.mark.parametrize("request_", [wanting(FACTS, max_output_tokens=50), wanting(max_output_tokens=50)])
def test_a_reply_that_was_cut_gets_twice_the_room_once(request_):
    talk = Talk(then(said(GOOD, "length"), said(GOOD)))
    assert talk.ask(request_).ok
    assert [body["max_tokens"] for body in talk.stub.bodies()] == [50, 100]
    assert [most for _, most in talk.ledger.reserved] == [50, 100]
    reply = Talk(then(said(GOOD, "length"))).ask(request_)
    assert (reply.failure, reply.detail, reply.calls) == ("truncated", "truncated at max_tokens=100", 2)


def test_a_request_that_a_filter_holds_back_does_not_stop_the_work():
    reply = Talk(then(refused(400, "The prompt was filtered", code="content_filter"))).ask(wanting())
    assert (reply.failure, reply.detail, reply.calls) == ("no_answer", "400: The prompt was filtered", 1)


@pytest.mark.parametrize("message", ["maximum context length is 99", "max_tokens is too large: 2048"])
def test_where_twice_the_room_is_too_much_the_reply_is_cut(message):
    reply = Talk(then(said(GOOD, "length"), refused(400, message))).ask(wanting(FACTS))
    assert (reply.failure, reply.detail) == ("truncated", "truncated at max_tokens=1024")


@pytest.mark.parametrize(
    ("answer", "detail", "calls"),
    [
        (said(None), "empty", 2),
        (said(""), "empty", 2),
        (said(None, reasoning_content="hm"), "empty, only reasoning", 2),
        (said(None, "content_filter"), "content_filter", 1),
        (said(None, refusal="I would rather not"), "refusal: I would rather not", 1),
    ],
)
def test_no_answer(answer, detail, calls):
    for request in (wanting(), wanting(FACTS), wanting(tools=(NOTE,))):
        talk = Talk(then(answer), facts={"tools": "native"})
        reply = talk.ask(request)
        assert (reply.failure, reply.detail, reply.calls) == ("no_answer", detail, calls)


def test_an_empty_reply_is_asked_for_once_more():
    reply = Talk(then(said(""), said("Oslo"))).ask(wanting())
    assert (reply.text, reply.calls) == ("Oslo", 2)


def test_reasoning_counts_where_the_settings_say_so():
    answer = said(None, reasoning_content="Oslo")
    assert Talk(then(answer), {"reasoning_as_answer": True}).ask(wanting()).text == "Oslo"


def test_each_way_to_fail_is_met_once_and_no_more():
    talk = Talk(then(said("", "length"), said(""), said("{}"), said(GOOD, "length"), said(GOOD)))
    reply = talk.ask(wanting(FACTS))
    assert (reply.failure, reply.detail, reply.calls) == ("truncated", "truncated at max_tokens=2048", 4)


def test_a_request_that_is_too_long():
    talk = Talk(then(refused(400, "This model's maximum context length is 8192 tokens.")))
    reply = talk.ask(wanting())
    assert (reply.failure, reply.calls) == ("too_long", 1)
    assert reply.detail == "400: This model's maximum context length is 8192 tokens."
    assert talk.ledger.settled == [(0, 0)]


@pytest.mark.parametrize("arguments", ["", None, '"{}"', {}])
def test_arguments_however_they_come(arguments):
    reply = Talk(then(called("stop", arguments))).ask(wanting(tools=(STOP,)))
    assert (reply.value, reply.calls) == ({"tool": "stop", "arguments": {}}, 1)


def test_arguments_that_are_none_are_a_failure_with_their_text():
    reply = Talk(then(called("note", '{}""'))).ask(wanting(tools=(NOTE,)))
    assert (reply.failure, reply.calls) == ("invalid", 2)
    assert reply.detail == 'there is more behind the JSON: \'""\'; the call was note({}"")'


def test_a_key_that_a_server_repeats_is_not_passed_on():
    reply = Talk(then(said(f"Your key is {KEY}."))).ask(wanting())
    assert reply.text == "Your key is ***."


def test_a_success_between_failures_lets_the_work_go_on():
    def script(path, body, number):
        return said("ok") if number % 8 == 7 else refused(500, "boom")

    replies = Talk(script, {"retries": 0}).ask_in_turn([wanting()] * 24)
    assert [reply.failure for reply in replies] == (["server"] * 7 + [""]) * 3


def test_a_cap_stops_an_invalid_reply_from_being_asked_for_again():
    talk = Talk(then(said("no")), ledger=Ledger(most=1))
    assert talk.error(OutOfBudgetError, wanting(FACTS)) == "budget.calls: all are used"


def test_vectors():
    talk = Talk(settings={"dimensions": 8, "send": {"user": "u", "input": "no"}})
    assert talk.embed(["a", "bb"]) == [vector("a"), vector("bb")]
    assert talk.stub.bodies("/embeddings") == [{"model": "stub", "input": ["a", "bb"], "dimensions": 8, "user": "u"}]
    assert talk.ledger.settled == [(2, None)]
    assert talk.ledger.reserved[0][1] == 0


def test_no_texts_need_no_call():
    talk = Talk()
    assert talk.embed([]) == []
    assert talk.stub.asked == []


def test_vectors_are_asked_for_again_after_passing_trouble():
    assert Talk(then(refused(500, "x"), Answer(fate="reset"), None)).embed(["a"]) == [vector("a")]


def test_a_server_that_lists_the_model_is_not_odd():
    assert Talk().check() == []
    assert Talk(models=()).check() == []
    assert Talk(lambda path, body, number: Answer(404, {"detail": "Not Found"})).check() == []
