from __future__ import annotations

import json

import pytest
from dialogue_fakes import FACTS, NOTE, STOP, Talk, wanting
from model_stub import Answer, called, called_all, refused, said

GOOD = '{"facts": ["has pears"]}'
NO_SCHEMA = refused(400, "'response_format.type' must be 'json_object' or 'text'")
NO_FORMAT = refused(500, "response_format type must be one of: text")


def then(*answers):
    """A script: these answers one after another, the last one for ever."""
    return lambda path, body, number: answers[min(number, len(answers) - 1)]


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
            else Answer(body=said(GOOD).body, delay=0.8)
        )

    talk = Talk(script)
    replies = talk.ask_all([wanting(FACTS, f"{n}?") for n in range(32)])
    assert all(reply.value == {"facts": ["has pears"]} for reply in replies)
    assert len(talk.stub.asked) == 34
    assert talk.stub.peak == 31
    assert len(talk.said) == 2


def test_where_the_first_finds_nothing_out_the_others_go_on_together():
    def script(path, body, number):
        return Answer(fate="silent") if number == 0 else Answer(body=said(GOOD).body, delay=0.4)

    talk = Talk(script, {"timeout": 2.0, "retries": 0})
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


def test_tools_that_a_server_takes():
    talk = Talk(then(called("note", '{"fact": "a"}')))
    replies = talk.ask_in_turn([wanting(tools=(NOTE, STOP)), wanting(tools=(NOTE, STOP))])
    assert [reply.value for reply in replies] == [{"tool": "note", "arguments": {"fact": "a"}}] * 2
    assert talk.facts == {"limit": "max_tokens", "tools": "native"}


@pytest.mark.parametrize(
    ("first", "said_"),
    [
        (said("I would take a note."), "ignores tools: asking for tool calls as JSON"),
        (said("I would take a note, and", "length"), "ignores tools: asking for tool calls as JSON"),
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


def test_a_server_that_ignores_the_schema_is_told_it_in_words():
    def script(path, body, number):
        return said(GOOD) if "JSON Schema" in body["messages"][0]["content"] else said("Pears, I would say.")

    talk = Talk(script)
    replies = talk.ask_in_turn([wanting(FACTS), wanting(FACTS)])
    assert [(reply.value, reply.calls) for reply in replies] == [
        ({"facts": ["has pears"]}, 2),
        ({"facts": ["has pears"]}, 1),
    ]
    assert talk.facts["structured"] == "json_object"
    assert talk.said == [
        "http://127.0.0.1:PORT/v1 ignores response_format json_schema: asking with json_object and the schema in words"
    ]


def test_json_of_another_form_does_not_tell_that_the_schema_is_ignored():
    talk = Talk(then(said('{"fact": "a"}'), said(GOOD)))
    assert talk.ask(wanting(FACTS)).ok
    assert talk.facts["structured"] == "json_schema"


def test_a_call_that_was_cut_before_it_began_tells_nothing_about_tools():
    talk = Talk(then(said(None, "length", reasoning_content="hm"), called("stop", "")))
    assert talk.ask(wanting(tools=(STOP,))).value == {"tool": "stop", "arguments": {}}
    assert talk.facts == {"limit": "max_tokens", "tools": "native"}


def test_several_tool_calls_in_one_reply():
    talk = Talk(lambda path, body, number: called_all([("note", {"fact": "a"}), ("note", {"fact": "b"})]))
    reply = talk.ask(wanting(tools=(NOTE, STOP), most_calls=3))
    assert [call["arguments"]["fact"] for call in reply.value] == ["a", "b"]
    assert talk.stub.bodies()[0]["parallel_tool_calls"] is True


def test_a_server_that_knows_no_parallel_calls_is_asked_without_the_word():
    def script(path, body, number):
        if "parallel_tool_calls" in body:
            return refused(400, "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.")
        return called("note", {"fact": "a"})

    talk = Talk(script)
    reply = talk.ask(wanting(tools=(NOTE, STOP), most_calls=3))
    assert reply.value == [{"tool": "note", "arguments": {"fact": "a"}}]
    assert talk.facts == {"limit": "max_tokens", "tools": "native", "parallel": "no"}
    assert any("takes no parallel_tool_calls: leaving it out" in line for line in talk.said)


def test_several_tool_calls_of_a_server_without_tools_come_as_json():
    def script(path, body, number):
        if "tools" in body:
            return refused(400, "tools are not supported")
        return said('{"calls": [{"tool": "note", "arguments": {"fact": "a"}}, {"tool": "stop"}]}')

    reply = Talk(script).ask(wanting(tools=(NOTE, STOP), most_calls=3))
    assert [call["tool"] for call in reply.value] == ["note", "stop"]
