from __future__ import annotations

import pytest
from dialogue_fakes import FACTS, KEY, Talk, wanting
from model_stub import Answer, refused

from designsearch.dsl.problems import CannotContinueError, UserError

GOOD = '{"facts": ["has pears"]}'
NO_SCHEMA = refused(400, "'response_format.type' must be 'json_object' or 'text'")
NO_FORMAT = refused(500, "response_format type must be one of: text")


def then(*answers):
    """A script: these answers one after another, the last one for ever."""
    return lambda path, body, number: answers[min(number, len(answers) - 1)]


def test_a_field_that_the_settings_send_all_the_same_is_refused(golden):
    talk = Talk(then(refused(400, "seed: Extra inputs are not permitted")), {"send": {"seed": 1}})
    golden("refused_call", talk.error(CannotContinueError))


def test_a_fixed_format_that_is_refused(golden):
    talk = Talk(then(NO_SCHEMA), {"structured": "json_schema"})
    golden("refused_format", talk.error(CannotContinueError, wanting(FACTS)))
    assert talk.facts == {}


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


def test_a_password_in_the_address_is_not_shown():
    talk = Talk(url="http://user:pass-word@127.0.0.1:1/v1")
    assert "pass-word" not in talk.error(CannotContinueError)


def test_one_failure_after_another_stops_the_work(golden):
    talk = Talk(then(refused(500, "boom")), {"retries": 0})
    with pytest.raises(CannotContinueError) as caught:
        talk.ask_in_turn([wanting()] * 8)
    golden("one_failure_after_another", talk.checked_text(caught.value))
    assert len(talk.stub.asked) == 8


@pytest.mark.parametrize(
    ("golden_name", "answer"),
    [
        ("vectors_missing", Answer(200, {"data": []})),
        ("vectors_of_too_much", refused(400, "input is too large, the maximum context length is 512")),
        ("vectors_unknown", refused(404, "not found")),
        ("vectors_refused", refused(501, "This server does not support embeddings")),
    ],
)
def test_without_vectors_the_work_stops(golden, golden_name, answer):
    talk = Talk(then(answer), {"retries": 1})
    with pytest.raises(CannotContinueError) as caught:
        talk.embed(["a"])
    golden(golden_name, talk.checked_text(caught.value))


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
