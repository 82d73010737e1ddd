from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.models.exchange.endpoint import Response
from designsearch.runtime.models.exchange.refusals import understood
from designsearch.runtime.models.exchange.secret import Secret

SENT = frozenset({"model", "messages", "max_tokens", "seed", "temperature", "response_format"})
WITH_TOOLS = SENT - {"response_format"} | {"tools"}


def told(status, message="", sent=SENT, **error):
    body = json.dumps({"error": {"message": message, **error}}).encode()
    return understood(Response(status, {"content-type": "application/json"}, body), sent)


@pytest.mark.parametrize(
    ("kind", "status", "message", "marks"),
    [
        ("format", 400, "'response_format.type' must be 'json_schema' or 'text'", {}),
        ("format", 500, "response_format type must be one of text, json_object", {}),
        ("format", 422, "body.response_format: Input should be 'text'", {}),
        ("format", 400, "Failed to initialize samplers: failed to parse grammar", {}),
        ("format", 501, "structured outputs are not implemented", {}),
        ("format", 400, "Unsupported parameter", {"param": "response_format"}),
        ("limit", 400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", {}),
        ("seed", 400, "Unknown field", {"param": "seed"}),
        ("seed", 422, "body.seed: Extra inputs are not permitted", {}),
        ("temperature", 400, "Unsupported value: 'temperature' does not support 0 with this model.", {}),
        ("too_long", 400, "This model's maximum context length is 8192 tokens. You asked for 9000.", {}),
        ("too_long", 400, "'max_tokens' or 'max_completion_tokens' is too large: maximum context length is 9", {}),
        ("too_long", 400, "the request exceeds the available context size. try increasing it", {}),
        ("too_long", 413, "too long", {"code": "context_length_exceeded"}),
        ("too_long", 413, "Request Entity Too Large", {}),
        ("too_long", 500, "input is too large to process. increase the physical batch size", {}),
        ("quota", 429, "You exceeded your current quota, please check your plan.", {}),
        ("quota", 429, "no", {"code": "insufficient_quota"}),
        ("quota", 429, "no", {"type": "insufficient_quota"}),
        ("quota", 403, "no", {"code": "billing_hard_limit_reached"}),
        ("quota", 402, "Insufficient Balance", {}),
        ("quota", 400, "Your credit balance is too low to access the API", {}),
        ("quota", 429, "Your team has either used all available credits or reached its spending limit.", {}),
        ("quota", 400, "Access denied, please make sure your account is in good standing.", {"code": "Arrearage"}),
        ("quota", 403, "Sorry, your account balance is insufficient", {}),
        ("quota", 403, "Key limit exceeded (total limit).", {}),
        ("quota", 429, "余额不足或无可用资源包,请充值。", {"code": "1113"}),
        ("busy", 429, "You exceeded your current quota, limit: 10\nPlease retry in 35.2s.", {}),
        ("busy", 429, "Resource has been exhausted (e.g. check quota).", {"code": "RESOURCE_EXHAUSTED"}),
        ("busy", 429, "Rate limit reached for requests", {"code": "rate_limit_exceeded"}),
        ("busy", 503, "Loading model", {}),
        ("busy", 529, "Overloaded", {}),
        ("key", 401, "Incorrect API key provided", {}),
        ("key", 403, "Country not supported", {}),
        ("key", 400, "API key not valid. Please pass a valid API key.", {"code": "INVALID_ARGUMENT"}),
        ("key", 400, "API key expired. Please renew the API key.", {}),
        ("key", 400, "Incorrect API key provided: sk-***.", {}),
        ("key", 400, "Missing or invalid Authorization header", {}),
        ("key", 422, "Missing API key", {}),
        ("model", 404, "The model `gpt` does not exist", {}),
        ("model", 404, "model 'llama' not found, try pulling it first", {}),
        ("model", 403, "no", {"code": "model_not_found"}),
        ("model", 400, "gpt-0 is not a valid model ID", {}),
        ("model", 404, "model 'llama3.2:1b' not found", {}),
        ("model", 404, "model: claude-x", {"type": "not_found_error"}),
        ("model", 404, "models/gem-x is not found for API version v1main, or is not supported", {}),
        ("model", 404, "The API deployment for this resource does not exist.", {"code": "DeploymentNotFound"}),
        ("model", 404, "Unable to access model m.", {"code": "model_not_available"}),
        ("model", 404, "No endpoints found for m.", {"code": 404}),
        ("model", 404, "The given endpoint does not exist", {"code": "ENDPOINT_NOT_FOUND"}),
        ("model", 400, "The model `m` has been decommissioned and is no longer supported.", {}),
        ("model", 400, "No models loaded. Please load a model in the developer page.", {}),
        ("model", 400, "Unsupported model: m", {}),
        ("model", 400, "The requested model is not supported.", {}),
        ("model", 400, "The provided model identifier is invalid.", {}),
        ("model", 400, "模型不存在，请检查模型代码。", {"code": "1211"}),
        ("path", 404, "Not Found", {"type": "not_found_error"}),
        ("path", 404, "Endpoint not found", {}),
        ("bad", 400, "this model takes no images: the part image_url is not supported", {}),
        ("format", 400, "This model has response_format json_schema not available", {}),
        ("filtered", 400, "The response was filtered", {"code": "content_filter"}),
        ("filtered", 403, "The prompt triggered our content management policy.", {}),
        ("path", 404, "Not Found", {}),
        ("path", 405, "Method Not Allowed", {}),
        ("path", 200, "Unexpected endpoint or method. (POST /chat/completions)", {}),
        ("server", 500, "boom", {}),
        ("server", 504, "", {}),
        ("server", 408, "", {}),
        ("server", 200, "boom", {}),
        ("busy", 200, "rate limited upstream", {"code": 429}),
        ("bad", 400, "messages: roles must alternate", {}),
        ("bad", 422, "no", {}),
        ("bad", 501, "This server does not support embeddings", {}),
    ],
)
def test_the_kind_of_trouble(kind, status, message, marks):
    assert told(status, message, **marks).kind == kind


@pytest.mark.parametrize(
    "message",
    ['"auto" tool choice requires --enable-auto-tool-choice', "stub does not support tools", "function calling is off"],
)
def test_tools_are_refused_where_they_were_sent(message):
    assert told(400, message, WITH_TOOLS).kind == "tools"
    assert told(400, message, SENT).kind == "bad"


@pytest.mark.parametrize("field", ["response_format", "seed", "temperature", "max_completion_tokens"])
def test_only_fields_that_were_sent_can_be_refused(field):
    assert told(400, f"{field} is wrong", frozenset({"model", "messages"})).kind == "bad"


def raw(status, body, content_type="application/json", **headers):
    return understood(Response(status, {"content-type": content_type, **headers}, body), SENT)


@pytest.mark.parametrize(
    ("outcome", "kind", "detail"),
    [
        (raw(200, b"<html>Hello</html>", "text/html"), "web_page", "a body that is no JSON"),
        (raw(200, b"data: {}", "text/event-stream"), "odd", "a body that is no JSON"),
        (raw(200, b""), "odd", "an empty body"),
        (raw(200, b'{"choices": ['), "odd", "a body that is no JSON"),
        (raw(404, b"<html>nginx</html>", "text/html"), "path", "404"),
        (raw(502, b"<html>nginx</html>", "text/html"), "server", "502"),
        (raw(404, b"404 page not found", "text/plain"), "path", "404: 404 page not found"),
        (raw(301, b"", location="https://other/v1"), "path", "301: redirects to https://other/v1"),
        (raw(307, b'{"a": 1}', location="https://other/v1"), "path", "307: redirects to https://other/v1"),
        (raw(413, b"<html>nginx</html>", "text/html"), "too_long", "413"),
        (raw(400, b"[]"), "bad", "400: []"),
        (raw(400, b'{"error": {}}'), "bad", '400: {"error": {}}'),
        (raw(400, b'{"error": {"code": "x"}}'), "bad", "400: no words"),
    ],
)
def test_bodies_of_other_kinds(outcome, kind, detail):
    assert (outcome.kind, outcome.detail) == (kind, detail)


def test_a_reply_is_no_trouble():
    outcome = raw(200, b'{"choices": [], "error": null}')
    assert (outcome.kind, outcome.body, outcome.detail) == ("", {"choices": [], "error": None}, "")


@pytest.mark.parametrize("trouble", ["timeout", "unreachable", "broken", "too_large"])
def test_without_a_response_the_trouble_is_the_connection(trouble):
    assert understood(Response(trouble=trouble, detail="x"), SENT).kind == trouble


def test_long_words_are_shortened():
    assert len(told(400, "word " * 1000).detail) < 170


@given(st.integers(200, 599), st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_response_is_understood(status, body):
    raw(status, body)


@pytest.mark.parametrize(
    ("error", "wait"),
    [
        ({"message": "slow", "details": [{"reason": "X"}, {"retryDelay": "17s"}]}, 17.0),
        ({"message": "slow, try again in 3s", "details": [{"retryDelay": "17s"}]}, 17.0),
        ({"message": "slow, try again in 3s", "details": [{"retryDelay": 5}, None]}, 3.0),
        ({"message": "slow", "details": "17s"}, None),
    ],
)
def test_how_long_to_wait_by_the_body(error, wait):
    assert understood(Response(429, {}, json.dumps({"error": error}).encode()), SENT).wait == wait


ESCAPED = "".join(f"\\u{ord(character):04x}" for character in "sk-12345678")


@pytest.mark.parametrize(
    "response",
    [
        Response(200, {}, f'{{"choices": [{{"message": {{"content": "{ESCAPED}"}}}}]}}'.encode()),
        Response(200, {}, '{"choices": [{"message": {"content": "sk-12345678"}}]}'.encode("utf-16")),
        Response(400, {}, f'{{"error": {{"message": "{"x" * 150} {ESCAPED}"}}}}'.encode()),
        Response(400, {}, f'{{"other": "{ESCAPED}"}}'.encode()),
        Response(500, {}, b"x" * 395 + b" sk-12345678"),
        Response(302, {"location": f"https://other/{'x' * 130}sk-12345678"}, b""),
        Response(trouble="broken", detail="at sk-12345678"),
    ],
)
def test_a_key_that_a_server_sends_back_is_nowhere(response):
    found = understood(response, SENT, Secret("sk-12345678"))
    assert "sk-1" not in f"{found.detail} {found.body}"
