from __future__ import annotations

import pytest
from dialogue_fakes import FACTS, NOTE, wanting

from designsearch.runtime.models.exchange.formats import Formats, Way
from designsearch.runtime.models.settings import ModelSettings

URL = "http://server/v1"


def formats(facts, said=None, **settings):
    lines = said if said is not None else []
    return Formats(ModelSettings(model="m", **settings), facts, lines.append, URL)


def test_the_surest_way_comes_first():
    assert formats({}).way == Way("json_schema", "native", "max_tokens", seed=True, temperature=True)


def test_formats_are_lowered_one_by_one_and_said():
    facts, said = {}, []
    found = formats(facts, said)
    assert found.give_up("format", found.way)
    assert found.give_up("format", found.way)
    assert not found.give_up("format", found.way)
    assert found.way.structured == "prompt"
    assert facts == {"structured": "prompt"}
    assert said == [
        "http://server/v1 takes no response_format json_schema: asking with json_object and the schema in words",
        "http://server/v1 takes no response_format json_object: asking for JSON in words",
    ]


def test_a_schema_that_is_ignored_is_sent_in_words():
    facts, said = {"structured": "json_schema"}, []
    found = formats(facts, said)
    old = found.way
    found.without_schema(old)
    found.without_schema(old)
    found.without_schema(found.way)
    assert facts == {"structured": "json_object"}
    assert len(said) == 1
    fixed = formats({}, structured="json_schema")
    fixed.without_schema(fixed.way)
    assert fixed.way.structured == "json_schema"


def test_what_another_call_found_out_is_not_found_out_again():
    facts, said = {}, []
    found = formats(facts, said)
    old = found.way
    assert found.give_up("format", old)
    assert found.give_up("format", old)
    assert facts == {"structured": "json_object"}
    assert len(said) == 1


@pytest.mark.parametrize(
    ("kind", "facts", "line"),
    [
        ("tools", {"tools": "json"}, "refuses tools: asking for tool calls as JSON"),
        (
            "limit",
            {"limit": "max_completion_tokens"},
            "wants max_completion_tokens: sending that for max_tokens",
        ),
        ("seed", {"seed": "no"}, "takes no seed: leaving it out"),
        ("temperature", {"temperature": "no"}, "takes no temperature: leaving it out"),
    ],
)
def test_fields_are_given_up_once(kind, facts, line):
    known, said = {}, []
    found = formats(known, said)
    assert found.give_up(kind, found.way)
    assert known == facts
    assert said == [f"{URL} {line}"]
    assert not found.give_up(kind, found.way)


def test_other_trouble_has_no_other_way():
    found = formats({})
    assert not found.give_up("bad", found.way)


def test_settings_fix_the_format():
    facts = {"structured": "prompt", "tools": "json"}
    found = formats(facts, structured="json_schema", tools="native")
    assert (found.way.structured, found.way.tools) == ("json_schema", "native")
    assert not found.give_up("format", found.way)
    assert not found.give_up("tools", found.way)
    assert facts == {"structured": "prompt", "tools": "json"}


@pytest.mark.parametrize(
    ("facts", "request_", "unknown"),
    [
        ({}, wanting(), True),
        ({"limit": "max_tokens"}, wanting(), False),
        ({"limit": "max_tokens"}, wanting(FACTS), True),
        ({"limit": "max_tokens", "structured": "json_schema"}, wanting(FACTS), False),
        ({"limit": "max_tokens", "structured": "xml"}, wanting(FACTS), True),
        ({"limit": "max_tokens"}, wanting(tools=(NOTE,)), True),
        ({"limit": "max_tokens", "tools": "native"}, wanting(tools=(NOTE,)), False),
        ({"limit": "max_tokens", "tools": "json"}, wanting(tools=(NOTE,)), True),
        ({"limit": "max_tokens", "tools": "json", "structured": "prompt"}, wanting(tools=(NOTE,)), False),
    ],
)
def test_what_is_unknown(facts, request_, unknown):
    assert formats(facts).unknown(request_) is unknown


@pytest.mark.parametrize(
    ("facts", "request_", "learned"),
    [
        ({}, wanting(), {"limit": "max_tokens"}),
        ({}, wanting(FACTS), {"limit": "max_tokens", "structured": "json_schema"}),
        ({"structured": "prompt"}, wanting(FACTS), {"limit": "max_tokens", "structured": "prompt"}),
        ({}, wanting(tools=(NOTE,)), {"limit": "max_tokens", "tools": "native"}),
        (
            {"tools": "json"},
            wanting(tools=(NOTE,)),
            {"limit": "max_tokens", "tools": "json", "structured": "json_schema"},
        ),
    ],
)
def test_what_an_answered_call_confirms(facts, request_, learned):
    found = formats(facts)
    found.confirm(request_, found.way, tool_called=True)
    assert facts == learned


def test_tools_are_known_to_work_once_one_was_called():
    facts = {}
    found = formats(facts)
    found.confirm(wanting(tools=(NOTE,)), found.way, tool_called=False)
    assert facts == {"limit": "max_tokens"}
