from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request

import pytest
from model_stub import Answer, Stub, called, refused, said, vector


def fetch(url, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data), timeout=5) as response:
        return json.loads(response.read())


def test_it_answers_by_itself():
    with Stub(models=("a", "b")) as stub:
        assert [model["id"] for model in fetch(stub.url + "/models")["data"]] == ["a", "b"]
        made = fetch(stub.url + "/embeddings", {"input": ["x", "y"]})
        assert [item["embedding"] for item in made["data"]] == [vector("x"), vector("y")]
        assert fetch(stub.url + "/chat/completions", {})["choices"][0]["message"]["content"] == "ok"
    assert [asked.path for asked in stub.asked] == ["/models", "/embeddings", "/chat/completions"]
    assert stub.peak == 1


def test_a_script_sees_path_body_and_number():
    seen = []

    def script(path, body, number):
        seen.append((path, body, number))
        return {"number": number} if number else "hi"

    with Stub(script) as stub:
        assert fetch(stub.url + "/a", {"x": 1})["choices"][0]["message"]["content"] == "hi"
        assert fetch(stub.url + "/b") == {"number": 1}
    assert seen == [("/a", {"x": 1}, 0), ("/b", None, 1)]
    assert stub.bodies("/a") == [{"x": 1}]


def test_errors_and_headers():
    with Stub(lambda path, body, number: refused(429, "slow", {"Retry-After": "3"}, code="c")) as stub:
        with pytest.raises(urllib.error.HTTPError) as caught:
            fetch(stub.url + "/a")
        assert (caught.value.code, caught.value.headers["Retry-After"]) == (429, "3")
        assert json.loads(caught.value.read()) == {"error": {"message": "slow", "code": "c"}}


@pytest.mark.parametrize(("fate", "error"), [("reset", ConnectionResetError), ("cut", http.client.IncompleteRead)])
def test_broken_connections(fate, error):
    with Stub(lambda path, body, number: Answer(body={"a": 1}, fate=fate)) as stub, pytest.raises(error):
        fetch(stub.url + "/a")


@pytest.mark.parametrize("answer", [Answer(body={}, delay=0.2), Answer(body=b"[1,2,3,4]", drip=0.05, pieces=4)])
def test_late_answers(answer):
    begun = time.perf_counter()
    with Stub(lambda path, body, number: answer) as stub:
        fetch(stub.url + "/a")
    assert time.perf_counter() - begun >= 0.15


def test_completions_hold_what_was_given():
    assert said("x", "length", None, refusal="no").body["choices"][0] == {
        "index": 0,
        "finish_reason": "length",
        "message": {"role": "assistant", "content": "x", "refusal": "no"},
    }
    assert "usage" not in said("x", usage=None).body
    call = called("note", {"a": 1}).body["choices"][0]["message"]["tool_calls"][0]
    assert call["function"] == {"name": "note", "arguments": {"a": 1}}
