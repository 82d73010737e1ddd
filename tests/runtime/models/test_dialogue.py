from __future__ import annotations

import json

import pytest
from dialogue_fakes import FACTS, KEY, NOTE, STOP, Ledger, Talk, wanting
from model_stub import Answer, called, refused, said, vector

from designsearch.dsl.problems import CannotContinueError, OutOfBudgetError, UserError
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


@pytest.mark.parametrize(
    ("script", "structured", "calls"),
    [
        (then(NO_SCHEMA, said(GOOD)), "json_object", 2),
        (then(NO_SCHEMA, NO_FORMAT, said(GOOD)), "prompt", 3),
        (then(NO_FORMAT, NO_FORMAT, said(GOOD)), "prompt", 3),
    ],
)
def test_the_format_is_found_out_without_spending_tries(script, structured, calls):
    talk = Talk(script, {"retries": 0})
    reply = talk.ask(wanting(FACTS))
    assert (reply.value, reply.calls) == ({"facts": ["has pears"]}, calls)
    assert talk.facts["structured"] == structured
    assert talk.slept == []
    assert len(talk.said) == calls - 1
    sent = [body.get("response_format", {}).get("type") for body in talk.stub.bodies()]
    assert sent == ["json_schema", "json_object", None][:calls]
    assert "JSON" in talk.stub.bodies()[-1]["messages"][0]["content"]


def test_what_was_found_out_survives_a_restart():
    talk = Talk(lambda path, body, number: NO_SCHEMA if json.dumps(body).count('"json_schema"') else said(GOOD))
    talk.ask(wanting(FACTS))
    assert talk.ask(wanting(FACTS)).calls == 1
    assert talk.said == [
        "http://127.0.0.1:PORT/v1 takes no response_format json_schema: asking with json_object and the schema in words"
    ]


def test_of_many_requests_at_the_start_one_finds_out():
    def script(path, body, number):
        kind = body.get("response_format", {}).get("type")
        return (
            NO_SCHEMA
            if kind == "json_schema"
            else NO_FORMAT
            if kind == "json_object"
            else Answer(body=said(GOOD).body, delay=0.4)
        )

    talk = Talk(script)
    replies = talk.ask_all([wanting(FACTS, f"{n}?") for n in range(32)])
    assert all(reply.value == {"facts": ["has pears"]} for reply in replies)
    assert len(talk.stub.asked) == 34
    assert talk.stub.peak == 31
    assert len(talk.said) == 2


def test_where_the_first_finds_nothing_out_the_others_go_on_together():
    def script(path, body, number):
        return Answer(fate="silent") if number == 0 else Answer(body=said(GOOD).body, delay=0.05)

    talk = Talk(script, {"timeout": 0.3, "retries": 0})
    replies = talk.ask_all([wanting(FACTS, f"{n}?") for n in range(8)])
    assert [reply.failure for reply in replies] == ["timeout"] + [""] * 7
    assert talk.stub.peak >= 7


@pytest.mark.parametrize(
    ("field", "message", "fact"),
    [
        ("seed", "seed: Extra inputs are not permitted", {"seed": "no"}),
        ("temperature", "'temperature' does not support 0 with this model", {"temperature": "no"}),
        ("max_tokens", "Use 'max_completion_tokens' instead of 'max_tokens'", {"limit": "max_completion_tokens"}),
    ],
)
def test_fields_that_a_server_refuses_are_left_out(field, message, fact):
    talk = Talk(lambda path, body, number: refused(400, message) if field in body else said("ok"), {"retries": 0})
    assert talk.ask_in_turn([wanting(), wanting()])[1].calls == 1
    assert talk.facts == {"limit": "max_tokens"} | fact
    assert len(talk.said) == 1


def test_a_field_that_the_settings_send_all_the_same_is_refused(golden):
    talk = Talk(then(refused(400, "seed: Extra inputs are not permitted")), {"send": {"seed": 1}})
    golden("refused_call", talk.error(CannotContinueError))


def test_a_fixed_format_that_is_refused(golden):
    talk = Talk(then(NO_SCHEMA), {"structured": "json_schema"})
    golden("refused_format", talk.error(CannotContinueError, wanting(FACTS)))
    assert talk.facts == {}


def test_tools_that_a_server_takes():
    talk = Talk(then(called("note", '{"fact": "a"}')))
    replies = talk.ask_in_turn([wanting(tools=(NOTE, STOP)), wanting(tools=(NOTE, STOP))])
    assert [reply.value for reply in replies] == [{"tool": "note", "arguments": {"fact": "a"}}] * 2
    assert talk.facts == {"limit": "max_tokens", "tools": "native"}


@pytest.mark.parametrize(
    ("first", "said_"),
    [
        (said("I would take a note."), "ignores tools: asking for tool calls as JSON"),
        (refused(400, "stub does not support tools"), "refuses tools: asking for tool calls as JSON"),
        (refused(500, "tool_choice is not implemented"), "refuses tools: asking for tool calls as JSON"),
    ],
)
def test_tools_that_a_server_does_not_take_are_asked_for_as_json(first, said_):
    def script(path, body, number):
        return first if "tools" in body else said('{"tool": "note", "arguments": {"fact": "a"}}')

    talk = Talk(script, {"retries": 0})
    replies = talk.ask_in_turn([wanting(tools=(NOTE, STOP)), wanting(tools=(NOTE, STOP))])
    assert [(reply.value, reply.calls) for reply in replies] == [
        ({"tool": "note", "arguments": {"fact": "a"}}, 2),
        ({"tool": "note", "arguments": {"fact": "a"}}, 1),
    ]
    assert talk.facts == {"limit": "max_tokens", "tools": "json", "structured": "json_schema"}
    assert talk.said == [f"http://127.0.0.1:PORT/v1 {said_}"]


def test_a_server_without_tools_and_without_formats():
    def script(path, body, number):
        if "tools" in body:
            return refused(400, "tools are not supported")
        return NO_FORMAT if "response_format" in body else said('{"tool": "stop"}')

    talk = Talk(script)
    reply = talk.ask(wanting(tools=(NOTE, STOP)))
    assert (reply.value, reply.calls) == ({"tool": "stop", "arguments": {}}, 4)


def test_a_server_that_takes_tools_is_told_where_it_called_none():
    talk = Talk(then(said("Well."), called("stop", "")), facts={"tools": "native"})
    assert talk.ask(wanting(tools=(NOTE, STOP))).value == {"tool": "stop", "arguments": {}}
    assert "no tool was called" in talk.stub.bodies()[1]["messages"][-1]["content"]


@pytest.mark.parametrize("arguments", ["", None, '"{}"', {}])
def test_arguments_however_they_come(arguments):
    reply = Talk(then(called("stop", arguments))).ask(wanting(tools=(STOP,)))
    assert (reply.value, reply.calls) == ({"tool": "stop", "arguments": {}}, 1)


def test_arguments_that_are_none_are_a_failure_with_their_text():
    reply = Talk(then(called("note", '{}""'))).ask(wanting(tools=(NOTE,)))
    assert (reply.failure, reply.calls) == ("invalid", 2)
    assert reply.detail == 'there is more behind the JSON: \'""\'; the call was note({}"")'


@pytest.mark.parametrize(
    ("golden_name", "answer", "talk"),
    [
        ("key_refused", refused(401, f"Incorrect API key provided: {KEY}"), {"settings": {"api_key_env": "STUB_KEY"}}),
        ("key_refused_without_variable", refused(401, "Incorrect API key provided"), {}),
        ("key_missing", refused(401, "No key"), {"key": None, "settings": {"api_key_env": "STUB_KEY"}}),
        ("key_missing_without_variable", refused(403, "No key"), {"key": None}),
        ("path_unknown", Answer(404, {"detail": "Not Found"}), {}),
        ("redirected", Answer(301, b"", {"Location": "https://other.example/v1"}), {}),
        ("web_page", Answer(200, "<!doctype html><p>Hello", {"Content-Type": "text/html"}), {}),
        ("call_refused", refused(400, f"roles must alternate\n\nafter {KEY}"), {}),
    ],
)
def test_what_people_are_told(golden, golden_name, answer, talk):
    made = Talk(lambda path, body, number: answer, **talk)
    golden(golden_name, made.error(CannotContinueError))
    assert len(made.stub.asked) == 1
    assert made.ledger.settled == [(0, 0) if answer.status >= 300 else (None, None)]


def test_without_v1_in_the_address_it_is_asked_for(golden):
    talk = Talk(then(Answer(200, "<html>", {"Content-Type": "text/html"})), ending="")
    golden("web_page_without_v1", talk.error(CannotContinueError))
    golden("path_unknown_without_v1", Talk(then(Answer(404, "")), ending="").error(CannotContinueError))


def test_a_model_that_is_not_there(golden):
    def script(path, body, number):
        return None if path == "/models" else refused(404, "The model `stub-7b` does not exist", code="model_not_found")

    names = ("other", *(f"m{n}" for n in range(9)), "stub-7b-chat")
    golden("model_unknown", Talk(script, {"model": "stub-7b"}, models=names).error(CannotContinueError))
    talk = Talk(lambda path, body, number: refused(404, "model 'stub' not found"))
    golden("model_unknown_without_list", talk.error(CannotContinueError))


@pytest.mark.parametrize("key", ["sk-1 and more", "sk-1\nsk-2", "schlüssel-schlüssel"])
def test_a_key_that_is_none_is_not_shown(golden, key):
    talk = Talk(key=key, settings={"api_key_env": "STUB_KEY"})
    golden("key_is_no_key", talk.error(UserError))


@pytest.mark.parametrize("url", ["localhost:8080/v1", "http://", "http://server:99999/v1", "ftp://server/v1", ""])
def test_an_address_that_is_none(url):
    assert Talk(url=url).error(UserError).startswith("models.helper: base_url ")


def test_the_text_for_an_address_that_is_none(golden):
    golden("address_is_none", Talk(url="localhost:8080/v1").error(UserError))


def test_a_key_that_a_server_repeats_is_not_passed_on():
    reply = Talk(then(said(f"Your key is {KEY}."))).ask(wanting())
    assert reply.text == "Your key is ***."


def test_a_password_in_the_address_is_not_shown():
    talk = Talk(url="http://user:pass-word@127.0.0.1:1/v1")
    assert "pass-word" not in talk.error(CannotContinueError)


def test_one_failure_after_another_stops_the_work(golden):
    talk = Talk(then(refused(500, "boom")), {"retries": 0})
    with pytest.raises(CannotContinueError) as caught:
        talk.ask_in_turn([wanting()] * 8)
    golden("one_failure_after_another", talk.checked_text(caught.value))
    assert len(talk.stub.asked) == 8


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


@pytest.mark.parametrize(
    ("golden_name", "answer"),
    [
        ("vectors_missing", Answer(200, {"data": []})),
        ("vectors_of_too_much", refused(400, "input is too large, the maximum context length is 512")),
        ("vectors_refused", refused(501, "This server does not support embeddings")),
    ],
)
def test_without_vectors_the_work_stops(golden, golden_name, answer):
    talk = Talk(then(answer), {"retries": 1})
    with pytest.raises(CannotContinueError) as caught:
        talk.embed(["a"])
    golden(golden_name, talk.checked_text(caught.value))


def test_a_server_that_lists_the_model_is_not_odd():
    assert Talk().check() == []
    assert Talk(models=()).check() == []
    assert Talk(lambda path, body, number: Answer(404, {"detail": "Not Found"})).check() == []


def test_a_server_that_does_not_list_the_model(golden):
    (note,) = Talk(models=("stub-7b", "other")).check()
    golden("model_not_listed", note)


@pytest.mark.parametrize(
    ("golden_name", "answer"),
    [
        ("key_refused_without_variable", refused(401, "Incorrect API key provided")),
        ("web_page", Answer(200, "<html>", {"Content-Type": "text/html"})),
        ("list_takes_too_long", Answer(fate="silent")),
    ],
)
def test_a_server_that_cannot_be_worked_with_is_told_beforehand(golden, golden_name, answer):
    talk = Talk(then(answer), {"timeout": 0.5 if answer.fate == "silent" else 30.0})
    with pytest.raises(CannotContinueError) as caught:
        talk.check()
    golden(golden_name, talk.checked_text(caught.value))


def test_a_dead_server_is_told_beforehand():
    talk = Talk(url="http://127.0.0.1:1/v1")
    with pytest.raises(CannotContinueError, match="nothing answers at"):
        talk.check()
    assert sum(talk.slept) <= 3
