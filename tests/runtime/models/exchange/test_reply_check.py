from __future__ import annotations

import json

import pytest
from dialogue_fakes import FACTS, NOTE, STOP, wanting

from designsearch.runtime.models.exchange.body import Written
from designsearch.runtime.models.exchange.reply_check import check_reply, wrote_instead

TOOLS = wanting(tools=(NOTE, STOP))


def checked(written, request=None, native=False, reasoning_as_answer=False):
    return check_reply(written, request or wanting(FACTS), native, reasoning_as_answer, 64)


@pytest.mark.parametrize("finish", ["length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "model_length"])
@pytest.mark.parametrize("content", ['{"facts": ["a", "b', '{"facts": ["a"]}', "The answer is"])
def test_a_reply_that_was_cut_is_never_accepted(content, finish):
    for request in (wanting(FACTS), wanting()):
        found = checked(Written(content, finish=finish), request)
        assert (found.failure, found.detail, found.again) == ("truncated", "truncated at max_tokens=64", True)
        assert found.value is None


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        (Written("I would stop.", finish="stop"), True),
        (Written("I would stop and then", finish="length"), True),
        (Written(finish="stop"), True),
        (Written("<think>Which tool", finish="length"), False),
        (Written(reasoning="Which tool", finish="length"), False),
        (Written("I would", finish="content_filter"), False),
        (Written(refusal="no", finish="stop"), False),
        (Written(calls=(("stop", ""),), finish="tool_calls"), False),
    ],
)
def test_whether_something_else_was_done_than_to_call_a_tool(written, instead):
    assert wrote_instead(written) is instead


def test_a_reply_that_was_cut_before_it_began_says_so():
    found = checked(Written(reasoning="Let me see", finish="length"))
    assert (found.failure, found.detail) == ("truncated", "truncated at max_tokens=64; there was no answer yet")


@pytest.mark.parametrize(
    ("written", "detail", "again"),
    [
        (Written(finish="content_filter"), "content_filter", False),
        (Written('{"facts": []}', finish="content_filter"), "content_filter", False),
        (Written('{"facts": []}', finish="content_filter: PROHIBITED_CONTENT"), "content_filter", False),
        (Written(refusal="I would\nrather not", finish="stop"), "refusal: I would rather not", False),
        (Written(finish="stop"), "empty", True),
        (Written(" \n", finish="stop"), "empty", True),
        (Written(reasoning="hm", finish="stop"), "empty, only reasoning", True),
        (Written("<think>hm</think> ", finish="stop"), "empty, only reasoning", True),
    ],
)
def test_no_answer_says_why(written, detail, again):
    for request, native in ((wanting(FACTS), False), (wanting(), False), (TOOLS, True)):
        found = checked(written, request, native)
        assert (found.failure, found.detail, found.again) == ("no_answer", detail, again)


@pytest.mark.parametrize("written", [Written(reasoning="Oslo"), Written("<think>Oslo</think>")])
def test_reasoning_is_the_answer_only_where_it_may_be(written):
    assert checked(written, wanting(), reasoning_as_answer=True).text == "Oslo"
    assert checked(written, wanting()).failure == "no_answer"
    assert checked(Written("Bergen", "Oslo"), wanting(), reasoning_as_answer=True).text == "Bergen"


def test_json_is_read_and_checked():
    found = checked(Written('Here:\n```json\n{"facts": ["a",]}\n```', finish="stop"))
    assert (found.value, found.failure) == ({"facts": ["a"]}, "")


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        ("nothing", "there is no JSON in the reply"),
        ("{}", "at $: 'facts' is a required property"),
        ('{"facts": ["a", 5]}', "at $.facts[1]: 5 is not of type 'string'"),
        ('{"facts": [], "x": 1}', "at $: Additional properties are not allowed ('x' was unexpected)"),
        ('{"facts": []} {"facts": []}', "there are 2 JSON values in the reply, one was asked for"),
    ],
)
def test_what_is_not_the_json_asked_for_is_invalid(content, detail):
    found = checked(Written(content, finish="stop"))
    assert (found.failure, found.detail, found.reason, found.again) == ("invalid", detail, detail, True)
    assert found.text == content


@pytest.mark.parametrize(("content", "prose"), [("None at all.", True), ("{}", False), ('{"facts": [', False)])
def test_prose_is_told_from_broken_json(content, prose):
    assert checked(Written(content, finish="stop")).prose is prose


def test_a_long_value_does_not_stand_in_the_detail():
    found = checked(Written('{"facts": "' + "secret " * 1000 + '"}', finish="stop"))
    assert len(found.detail) <= 160
    assert len(found.reason) <= 600


def test_plain_text_is_what_stands_behind_the_reasoning():
    assert checked(Written("<think>hm</think>\nOslo\n"), wanting()).text == "Oslo"


@pytest.mark.parametrize("arguments", ['{"fact": "a"}', {"fact": "a"}, '"{\\"fact\\": \\"a\\"}"', "{fact: 'a'}"])
def test_a_tool_call(arguments):
    found = checked(Written(calls=(("note", arguments),), finish="tool_calls"), TOOLS, native=True)
    assert found.value == {"tool": "note", "arguments": {"fact": "a"}}


@pytest.mark.parametrize("nothing", ["", None, "null", {}])
def test_a_tool_call_without_arguments(nothing):
    found = checked(Written(calls=(("stop", nothing),)), TOOLS, native=True)
    assert found.value == {"tool": "stop", "arguments": {}}


@pytest.mark.parametrize(
    ("calls", "detail"),
    [
        (((("note", '{}""')),), 'there is more behind the JSON: \'""\'; the call was note({}"")'),
        (
            (("nots", "{}"),),
            "there is no tool 'nots', only note, stop (did you mean note?); the call was nots({})",
        ),
        (
            (("note", '{"fact": 5}'),),
            "arguments of note at $.fact: 5 is not of type 'string'; the call was note({\"fact\": 5})",
        ),
        ((("stop", "{}"), ("stop", "{}")), "2 tools were called, exactly one was asked for"),
    ],
)
def test_a_tool_call_that_is_none(calls, detail):
    found = checked(Written(calls=calls), TOOLS, native=True)
    assert (found.failure, found.detail) == ("invalid", detail)


def test_words_for_a_tool_call_are_invalid():
    assert checked(Written("I would stop."), TOOLS, native=True).detail == "no tool was called"


@pytest.mark.parametrize(
    ("content", "value"),
    [
        ('{"tool": "note", "arguments": {"fact": "a"}}', {"tool": "note", "arguments": {"fact": "a"}}),
        ('{"tool": "note", "arguments": "{\\"fact\\": \\"a\\"}"}', {"tool": "note", "arguments": {"fact": "a"}}),
        ('```json\n{"tool": "stop"}\n```', {"tool": "stop", "arguments": {}}),
    ],
)
def test_a_tool_call_as_json(content, value):
    assert checked(Written(content), TOOLS).value == value


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        ('{"name": "note"}', 'a tool is called as {"tool": NAME, "arguments": {...}}'),
        ('{"tool": "note", "fact": "a"}', 'a tool is called as {"tool": NAME, "arguments": {...}}'),
        ("[]", 'a tool is called as {"tool": NAME, "arguments": {...}}'),
        ('{"tool": 5}', "there is no tool '5', only note, stop"),
        (
            '{"tool": "stop", "arguments": {"x": 1}}',
            "arguments of stop at $: Additional properties are not allowed ('x' was unexpected)",
        ),
    ],
)
def test_a_tool_call_as_json_that_is_none(content, detail):
    found = checked(Written(content), TOOLS)
    assert (found.failure, found.detail) == ("invalid", detail)


SEVERAL = wanting(tools=(NOTE, STOP), most_calls=2)
A, B = {"tool": "note", "arguments": {"fact": "a"}}, {"tool": "note", "arguments": {"fact": "b"}}


@pytest.mark.parametrize("facts", ["a", "ab"])
def test_several_tool_calls_are_a_list_in_their_order(facts):
    calls = tuple(("note", {"fact": fact}) for fact in facts)
    assert checked(Written(calls=calls, finish="tool_calls"), SEVERAL, native=True).value == [A, B][: len(facts)]


@pytest.mark.parametrize(
    ("calls", "detail"),
    [
        ((("stop", ""),) * 3, "3 tools were called, at most 2 were asked for"),
        (
            (("note", {"fact": "a"}), ("nots", "")),
            "there is no tool 'nots', only note, stop (did you mean note?); the call was nots()",
        ),
    ],
)
def test_several_tool_calls_of_which_one_is_none(calls, detail):
    found = checked(Written(calls=calls), SEVERAL, native=True)
    assert (found.failure, found.detail, found.value) == ("invalid", detail, None)


@pytest.mark.parametrize(
    ("written", "calls"), [({"calls": [A, B]}, [A, B]), ([A, B], [A, B]), ({"calls": [A]}, [A]), ([A], [A]), (A, [A])]
)
def test_several_tool_calls_as_json(written, calls):
    assert checked(Written(json.dumps(written)), SEVERAL).value == calls


@pytest.mark.parametrize(
    ("written", "detail"),
    [
        ({"calls": []}, "0 tools were called, 1 to 2 were asked for"),
        ({"calls": [A, B, A]}, "3 tools were called, 1 to 2 were asked for"),
        ({"calls": [A, {"tool": "stop", "arguments": {"x": 1}}]}, "arguments of stop at $: Additional properties"),
        ({"calls": [A, "stop"]}, 'a tool is called as {"tool": NAME, "arguments": {...}}'),
    ],
)
def test_several_tool_calls_as_json_that_are_none(written, detail):
    found = checked(Written(json.dumps(written)), SEVERAL)
    assert found.failure == "invalid"
    assert found.detail.startswith(detail)
