from __future__ import annotations

import asyncio
import gzip
import json
import logging
import subprocess
import sys
import zlib

import pytest
from dialogue_fakes import KEY
from model_stub import Answer, Stub, said

from designsearch.runtime.models.exchange import endpoint as module
from designsearch.runtime.models.exchange.endpoint import Endpoint
from designsearch.runtime.models.exchange.secret import Secret

BODY = {"model": "stub", "messages": [{"role": "user", "content": "hi"}]}


def exchange(script, key=KEY, timeout=5.0, url=None, times=1):
    """The responses to the same call, and the server."""

    async def post(base):
        endpoint = Endpoint(url or base, Secret(key), timeout, 4)
        try:
            return [await endpoint.post("/chat/completions", BODY) for _ in range(times)]
        finally:
            await endpoint.close()

    with Stub(script) as stub:
        return asyncio.run(post(stub.url)), stub


def test_a_call_goes_out_and_comes_back():
    (response,), stub = exchange(lambda path, body, number: said("hello"))
    assert response.status == 200
    assert json.loads(response.body)["choices"][0]["message"]["content"] == "hello"
    assert response.headers["content-type"] == "application/json"
    assert 0 < response.seconds < 5
    assert stub.asked[0].path == "/chat/completions"
    assert stub.asked[0].body == BODY
    assert stub.asked[0].headers["authorization"] == f"Bearer {KEY}"


def test_without_a_key_none_is_sent_whatever_the_environment_holds(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-server")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-of-an-admin")
    _, stub = exchange(None, key=None)
    assert "authorization" not in stub.asked[0].headers


def test_the_organization_at_openai_is_not_told_to_others(monkeypatch):
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-1")
    _, stub = exchange(None)
    assert not {"openai-organization", "openai-project"} & stub.asked[0].headers.keys()


def test_connections_are_kept():
    responses, stub = exchange(None, times=3)
    assert [response.status for response in responses] == [200, 200, 200]
    assert stub.connections == 1


@pytest.mark.parametrize("status", [301, 400, 404, 429, 500])
def test_refusals_are_responses_and_not_repeated(status):
    (response,), stub = exchange(lambda path, body, number: Answer(status, {"error": "x"}, {"Retry-After": "0"}))
    assert (response.status, response.body) == (status, b'{"error": "x"}')
    assert len(stub.asked) == 1


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (Answer(fate="silent"), "timeout"),
        (Answer(body=b"x" * 100, drip=0.05, pieces=100), "timeout"),
        (Answer(delay=5), "timeout"),
        (Answer(fate="reset"), "broken"),
        (Answer(body=b"x" * 100, fate="cut"), "broken"),
        (Answer(status=500, body=b"x" * 100, fate="cut"), "broken"),
        (Answer(body=b"x", headers={"Content-Length": "none"}), "broken"),
    ],
)
def test_responses_that_do_not_come_whole(answer, trouble):
    (response,), _ = exchange(lambda path, body, number: answer, timeout=0.5 if trouble == "timeout" else 30.0)
    assert (response.status, response.trouble) == (0, trouble)
    assert response.seconds < 5


def test_a_slow_response_in_time_is_whole():
    (response,), _ = exchange(lambda path, body, number: Answer(body=b"x" * 50, drip=0.01, pieces=5))
    assert (response.status, response.body) == (200, b"x" * 50)


@pytest.mark.parametrize("status", [200, 500])
def test_a_body_that_is_too_large_is_not_read(monkeypatch, status):
    monkeypatch.setattr(module, "MOST_BYTES", 1000)
    (response,), _ = exchange(lambda path, body, number: Answer(status, b"x" * 1001))
    assert (response.status, response.trouble) == (0, "too_large")
    (response,), _ = exchange(lambda path, body, number: Answer(status, b"x" * 1000))
    assert (response.status, len(response.body)) == (status, 1000)


def test_a_body_that_is_packed_all_the_same_is_read():
    packed = gzip.compress(b'{"a": 1}')
    (response,), stub = exchange(lambda path, body, number: Answer(200, packed, {"Content-Encoding": "gzip"}))
    assert response.body == b'{"a": 1}'
    assert stub.asked[0].headers["accept-encoding"] == "identity"


def test_a_body_that_unpacks_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 1000)
    for packed in (gzip.compress(b" " * 1001), zlib.compress(b" " * 10**7)):
        (response,), _ = exchange(lambda path, body, number: Answer(200, packed, {"Content-Encoding": "gzip"}))  # noqa: B023
        assert response.trouble == "too_large"
    whole = zlib.compress(b" " * 1000)
    (response,), _ = exchange(lambda path, body, number: Answer(200, whole, {"Content-Encoding": "deflate"}))
    assert response.body == b" " * 1000


def test_a_body_that_is_said_to_be_packed_and_is_not_is_broken():
    (response,), _ = exchange(lambda path, body, number: Answer(200, b"{}", {"Content-Encoding": "gzip"}))
    assert response.trouble == "broken"


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/v1", "http://no-such-machine.invalid/v1", "http://a..b/v1"])
def test_where_nothing_answers(url):
    (response,), _ = exchange(None, url=url)
    assert (response.status, response.trouble) == (0, "unreachable")


def test_after_closing_new_connections_are_opened():
    async def twice(url):
        endpoint = Endpoint(url, Secret(None), 5.0, 1)
        first = await endpoint.get("/models")
        await endpoint.close()
        second = await endpoint.get("/models")
        await endpoint.close()
        await endpoint.close()
        return first.status, second.status

    with Stub() as stub:
        assert asyncio.run(twice(stub.url)) == (200, 200)
        assert stub.connections == 2


def test_logs_do_not_show_the_key(caplog):
    caplog.set_level(logging.DEBUG)
    exchange(lambda path, body, number: Answer(401, {"error": {"message": "no"}}))
    assert KEY not in caplog.text


def test_nothing_heavy_is_loaded_before_the_first_call():
    code = (
        "import sys; import designsearch.runtime.models.exchange.dialogue; "
        "sys.exit(any(name in sys.modules for name in ('openai', 'httpx2', 'jsonschema')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
