"""Whatever a server answers, a request ends in a reply, in the reason why there is none, or in a text for people."""

from __future__ import annotations

import asyncio
import json
from unittest import mock

import pytest
from dialogue_fakes import FACTS, KEY, NOTE, STOP, Ledger, wanting
from hypothesis import given, settings
from hypothesis import strategies as st
from model_stub import said

from designsearch.dsl.problems import CannotContinueError, OutOfBudgetError
from designsearch.runtime.models.exchange.dialogue import Dialogue
from designsearch.runtime.models.exchange.endpoint import Endpoint, Response
from designsearch.runtime.models.requests import Failure
from designsearch.runtime.models.settings import ModelSettings

REQUESTS = (wanting(), wanting(FACTS), wanting(tools=(NOTE, STOP)))
NEAR_JSON = st.text(alphabet="[]{}\"',:\\ \ntrueNone0123456789.eE-+`ab<>/think")
REFUSED = ["seed", "temperature", "response_format", "tools", "max_completion_tokens"]
WORDS = st.sampled_from([*REFUSED, "context length", "model not found", "insufficient_quota", "", KEY])
ERRORS = st.builds(lambda message, code: {"error": {"message": message, "code": code}}, WORDS, st.none() | WORDS)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.sampled_from(["stop", "note", "{}", "length"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["tool", "arguments", "facts", "function", "name", "tool_calls", "content"]), inner
        )
    ),
    max_leaves=8,
)
BODIES = (
    (NEAR_JSON | VALUES).map(lambda content: said(content).payload())
    | VALUES.map(lambda calls: said(None, tool_calls=calls).payload())
    | ERRORS.map(lambda error: json.dumps(error).encode())
    | VALUES.map(lambda value: json.dumps(value).encode())
    | st.binary(max_size=40)
)
RESPONSES = st.builds(
    Response,
    st.sampled_from([200, 200, 200, 200, 301, 400, 401, 402, 404, 422, 429, 500, 501, 503, 504]),
    st.dictionaries(st.sampled_from(["retry-after", "content-type", "retry-after-ms"]), st.text(max_size=4)),
    BODIES,
) | st.sampled_from([Response(trouble=t) for t in ("timeout", "unreachable", "broken", "too_large")])


async def ask(request, responses):
    """The reply to a request where these responses come one after another, and the gate."""
    ledger = Ledger()
    left = iter(responses)

    async def post(_self, path, body):
        json.dumps(body, ensure_ascii=False).encode()
        return next(left, responses[-1])

    async def get(_self, path):
        return responses[-1]

    async def sleep(seconds):
        assert seconds >= 0

    made = ModelSettings(model="stub", retries=2)
    with mock.patch.object(Endpoint, "post", post), mock.patch.object(Endpoint, "get", get):
        dialogue = Dialogue(made, "http://server/v1", KEY, "models.helper", {}, lambda line: None, sleep=sleep)
        try:
            return await dialogue.ask(request, ledger), ledger
        except (CannotContinueError, OutOfBudgetError) as error:
            return error, ledger


@given(st.sampled_from(REQUESTS), st.lists(RESPONSES, min_size=1, max_size=6))
@settings(max_examples=300, deadline=None)
def test_any_responses(request, responses):
    reply, ledger = asyncio.run(ask(request, responses))
    assert len(ledger.settled) == len(ledger.reserved) < 60
    if isinstance(reply, Exception):
        assert KEY not in str(reply)
        assert str(reply).startswith("models.helper: ")
        assert "\n" not in str(reply)
    elif reply.ok:
        assert reply.calls >= 1
        assert bool(reply.value) == bool(request.schema or request.tools)
    else:
        assert reply.failure in Failure.__args__
        assert KEY not in reply.detail
        assert reply.detail
        assert len(reply.detail) <= 200
        assert (reply.text, reply.value) == ("", None)


@given(st.text() | NEAR_JSON)
@settings(deadline=None)
def test_any_text_is_a_reply_or_a_failure(text):
    answer = Response(200, {}, said(text).payload())
    for request in REQUESTS:
        reply, _ = asyncio.run(ask(request, [answer]))
        assert reply.ok or reply.failure in {"invalid", "no_answer"}


@pytest.mark.parametrize("request_", REQUESTS)
def test_a_request_ends_whatever_a_server_refuses(request_):
    refusals = [Response(400, {}, json.dumps({"error": {"message": word}}).encode()) for word in REFUSED * 6]
    reply, ledger = asyncio.run(ask(request_, refusals))
    assert isinstance(reply, CannotContinueError)
    assert len(ledger.reserved) <= 8
