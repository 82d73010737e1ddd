from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.models.exchange.body import (
    OddBodyError,
    Problem,
    Written,
    is_web_page,
    listed_models,
    problem_in,
    read_body,
    read_written,
    usage_in,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "choices message content data index embedding error detail code usage prompt_tokens tool_calls "
                "function name type text object loc id".split()
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_any_body_is_read_or_odd(body):
    problem_in(body)
    usage_in(body)
    listed_models(body)
    with suppress(OddBodyError):
        read_written(body)


@given(st.binary())
def test_any_bytes_are_read_or_odd(raw):
    with suppress(OddBodyError):
        read_body(raw)


def message(**parts):
    return {"choices": [{"finish_reason": "stop", "message": parts}]}


@pytest.mark.parametrize(
    ("body", "written"),
    [
        (message(content="hi"), Written("hi", finish="stop")),
        (message(content=None), Written(finish="stop")),
        (message(), Written(finish="stop")),
        (message(content={"type": "text", "text": "hi"}), Written("hi", finish="stop")),
        (message(content=[{"type": "text", "text": "a"}, {"text": "b"}, "c"]), Written("abc", finish="stop")),
        (
            message(content=[{"type": "thinking", "text": "hm"}, {"type": "text", "text": "b"}]),
            Written("b", finish="stop"),
        ),
        (message(content="\ud83d!"), Written("\ufffd!", finish="stop")),
        (message(content="", reasoning_content="hm"), Written(reasoning="hm", finish="stop")),
        (message(content="", reasoning="hm"), Written(reasoning="hm", finish="stop")),
        (message(content=None, refusal="no"), Written(refusal="no", finish="stop")),
        ({"choices": [{"message": {"content": "x"}, "finish_reason": None}]}, Written("x")),
        (
            message(content=None, tool_calls=[{"function": {"name": "note", "arguments": "{}"}}, {"function": None}]),
            Written(finish="stop", calls=(("note", "{}"),)),
        ),
        (
            message(content=None, function_call={"name": "note", "arguments": {"a": 1}}),
            Written(finish="stop", calls=(("note", {"a": 1}),)),
        ),
    ],
)
def test_what_a_model_wrote(body, written):
    assert read_written(body) == written


@pytest.mark.parametrize(
    ("choice", "cause"),
    [
        ({"message": {"content": "40 eu"}, "finish_reason": "error"}, "error"),
        ({"message": {"content": "40 eu"}, "finish_reason": "ABORT"}, "ABORT"),
        (
            {"message": {"content": "40 eu"}, "finish_reason": "insufficient_system_resource"},
            "insufficient_system_reso",
        ),
        ({"message": {"content": "40 eu"}, "error": {"code": 502, "message": "the one behind died"}}, "the one behind"),
    ],
)
def test_a_reply_that_the_server_broke_off_is_none(choice, cause):
    with pytest.raises(OddBodyError, match=f"broke off .{cause}"):
        read_written({"choices": [choice]})


def test_a_body_is_read_in_the_charset_that_it_names():
    raw = '{"a": "é"}'.encode("latin-1")
    assert read_body(raw, "application/json; charset=ISO-8859-1") == {"a": "é"}
    assert read_body('{"a": "é"}'.encode("utf-16")) == {"a": "é"}
    for content_type in ("", "text/plain; charset=none-such"):
        with pytest.raises(OddBodyError, match="no JSON"):
            read_body(raw, content_type)


@pytest.mark.parametrize("levels", [101, 900, 100_000])
def test_a_body_nested_too_deep_is_odd(levels):
    with pytest.raises(OddBodyError):
        read_body(b'{"error":' * levels + b"1" + b"}" * levels)


@pytest.mark.parametrize("body", [{}, [], None, 5, {"choices": []}, {"choices": [{}]}, {"choices": {"message": {}}}])
def test_without_a_choice_there_is_no_reply(body):
    with pytest.raises(OddBodyError, match="a body without choices"):
        read_written(body)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({"error": {"message": "m", "type": "t", "code": "c", "param": "p"}}, Problem("m", "c t p")),
        ({"error": {"message": "m", "code": 429}}, Problem("m", "429", 429)),
        ({"error": {"message": "m", "code": "503"}}, Problem("m", "503", 503)),
        ({"error": {"message": "m", "code": "200"}}, Problem("m", "200")),
        ({"error": {"message": "m", "code": "9" * 5000}}, Problem("m", "9" * 5000)),
        ({"error": "m"}, Problem("m")),
        ([{"error": {"message": "m", "code": 400, "status": "S"}}], Problem("m", "400 S", 400)),
        ({"object": "error", "message": "m", "code": 404}, Problem("m", "404", 404)),
        ({"detail": "Not Found"}, Problem("Not Found")),
        (
            {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted", "input": "a secret"}]},
            Problem("body.seed: Extra inputs are not permitted"),
        ),
        ({"error": {}}, None),
        ({"error": None, "choices": []}, None),
        ({"choices": []}, None),
        ("text", None),
        ([], None),
    ],
)
def test_errors_in_every_form(body, problem):
    assert problem_in(body) == problem


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": 3, "completion_tokens": 4}, (3, 4)),
        ({"prompt_tokens": 3}, (3, None)),
        ({"prompt_tokens": -3, "completion_tokens": True}, (None, None)),
        ({"prompt_tokens": "3", "completion_tokens": 4.5}, (None, None)),
        ({"prompt_tokens": 12.0, "completion_tokens": float("inf")}, (12, None)),
        ({"prompt_tokens": 10**30, "completion_tokens": 2**63 - 1}, (None, None)),
        (None, (None, None)),
    ],
)
def test_tokens_are_those_that_the_server_counted(usage, tokens):
    assert usage_in({"usage": usage}) == tokens


@pytest.mark.parametrize(
    ("raw", "content_type", "page"),
    [
        (b"<!DOCTYPE html><p>", "", True),
        (b"\n <HTML>", "", True),
        (b"{}", "text/html; charset=utf-8", True),
        (json.dumps({"a": "<html>"}).encode(), "application/json", False),
        (b"", "", False),
    ],
)
def test_pages_for_browsers_are_known(raw, content_type, page):
    assert is_web_page(raw, content_type) is page


def test_lists_of_models():
    assert listed_models({"data": [{"id": "a"}, {"id": 5}, "b", {"id": "c"}]}) == ["a", "c"]
    assert listed_models([{"id": "a"}]) == ["a"]
    assert listed_models({"models": []}) == []
