from __future__ import annotations

import json
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.models.exchange.json_repair import NotJsonError
from designsearch.runtime.models.exchange.json_text import read_json, read_whole, reasoning_in, without_reasoning

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)
CONTAINERS = st.lists(VALUES, max_size=4) | st.dictionaries(st.text(), VALUES, max_size=4)
PROSE = st.text(alphabet="abc ,.!?:'\n()*#é")


@given(VALUES, st.sampled_from(["", "json", "JSON", "python"]), st.sampled_from(["\n", "\r\n"]))
def test_any_value_in_a_fence_is_read(value, language, line):
    assert read_json(f"```{language}{line}{json.dumps(value, indent=1)}{line}```") == value


@given(CONTAINERS, PROSE, PROSE)
def test_an_object_or_list_with_words_around_it_is_read(value, before, after):
    assert read_json(before + json.dumps(value, ensure_ascii=False) + after) == value
    assert read_json(f"{before}\n```json\r\n{json.dumps(value)}\r\n```\n{after}") == value


@given(st.lists(st.text(), min_size=1, max_size=4), PROSE)
def test_commas_too_many_are_read_over(texts, before):
    written = json.dumps({"facts": texts}).removesuffix("]}") + ",],}"
    assert read_json(before + written) == {"facts": texts}


@given(VALUES, PROSE)
def test_what_stands_in_the_reasoning_is_not_the_reply(value, draft):
    assert read_json(f'<think>{draft} {{"facts": ["draft"]}}</think>\n\n```json\n{json.dumps(value)}\n```') == value


@given(st.text() | st.text(alphabet="[]{}\"',:\\ \ntrueNone0123456789.eE-+`ab<>/think"))
def test_any_text_is_read_or_refused(text):
    with suppress(NotJsonError):
        read_json(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"facts": ["has pears"]}',
        '\ufeff {"facts": ["has pears"]}\n',
        '```json\n{"facts": ["has pears"]}\n```',
        '```\n{"facts": ["has pears"]}\n```',
        '```{"facts": ["has pears"]}```',
        'Of course! Here:\n\n```json\r\n{"facts": ["has pears"]}\r\n```\nMore?',
        'Reply: {"facts": ["has pears"]} (that is all)',
        'As in the draft [see above], {"facts": ["has pears"]}',
        'For {name}: {"facts": ["has pears",]}',
        '<think>First {"facts": []}?</think>{"facts": ["has pears"]}',
        'I think {"facts": []}</think>\n{"facts": ["has pears"]}',
        'Draft: {"facts": []}\nFinal:\n```json\n{"facts": ["has pears"]}\n```',
        '{"facts": ["has pears"]} - see [the list',
        """'{"facts": ["has pears"]}'""",
    ],
)
def test_one_value_is_found(text):
    assert read_json(text) == {"facts": ["has pears"]}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("I found nothing.", "there is no JSON in the reply"),
        ("", "there is no JSON in the reply"),
        ("see [above] and {here}", "there is no JSON in the reply"),
        ("<think>{}", "there is no JSON in the reply"),
        ('{"facts": ["a"]}\n{"facts": ["b"]}', "there are 2 JSON values in the reply, one was asked for"),
        ("```\n[1]\n```\n```\n[2]\n```", "there are 2 JSON values in the reply, one was asked for"),
        ('Well: {"a": [1, 2], "b": "cut', "the reply breaks off inside a text"),
        ('{"a": [1, 2], "b" c}', "':' belongs where 'c}' is"),
        ('[["a"], ["b"', "the reply breaks off where ',' or ']' belongs"),
        ('{"score": NaN}', "NaN is no number of JSON"),
        ("[a] " * 300, "there are too many brackets in the reply"),
        ("Well: " + "[note {a, " * 300, "there is no JSON in the reply"),
    ],
)
def test_none_or_several_are_refused(text, why):
    with pytest.raises(NotJsonError) as caught:
        read_json(text)
    assert str(caught.value) == why


def test_a_list_inside_a_broken_object_is_not_the_reply():
    with pytest.raises(NotJsonError):
        read_json('Here: {"facts": ["a", "b"], oops "c"}')


def test_brackets_inside_a_fenced_text_are_text():
    assert read_json('```json\n"see [1] and {x}"\n```') == "see [1] and {x}"
    assert read_json('```json\n{"a": "```\\n[1]\\n```"}\n```') == {"a": "```\n[1]\n```"}


def test_halves_of_surrogate_pairs_are_replaced():
    assert read_json(r'{"\ud83d": ["\ud83d\ude00", "\udc00"]}') == {"\ufffd": ["\U0001f600", "\ufffd"]}


def test_whole_numbers_are_integers_however_they_are_written():
    read = read_json('{"a": [2.0, 1e2, 2.5, true], "b": 1e300}')
    assert repr(read) == "{'a': [2, 100, 2.5, True], 'b': 1e+300}"


def test_a_whole_text_has_nothing_behind_the_value():
    assert read_whole(" [1,] ") == [1]
    with pytest.raises(NotJsonError, match="there is more behind the JSON: '\"\"'"):
        read_whole('{}""')


@pytest.mark.parametrize(
    ("text", "reply", "reasoning"),
    [
        ("Oslo", "Oslo", ""),
        ("<think>Norway?</think>\n\nOslo", "Oslo", "Norway?"),
        ("Norway?</think>Oslo", "Oslo", "Norway?"),
        ("<think>Norway? Its", "", "Norway? Its"),
        ("the tags <think> and </think>", "the tags <think> and </think>", ""),
    ],
)
def test_reasoning_is_told_from_the_reply(text, reply, reasoning):
    assert (without_reasoning(text), reasoning_in(text)) == (reply, reasoning)


@pytest.mark.parametrize(
    "text",
    [
        "```json\n" + " " * 200_000 + "x",
        '{x "' + '\\"' * 200_000,
        "{x " + '"a' * 200_001,
        "[" * 900 + "]" * 900,
        '{"a":' * 900 + "1" + "}" * 900,
        "[ x ] " * 50_000,
        "```" * 100_000,
    ],
    ids=["blanks", "escaped quotes", "quotes", "lists", "objects", "brackets", "fences"],
)
def test_a_reply_that_runs_wild_is_refused_at_once(text):
    begun = time.process_time()
    with pytest.raises(NotJsonError):
        read_json(text)
    assert time.process_time() - begun < 5  # squared it would be minutes


def test_a_quote_that_is_never_closed_begins_no_text():
    assert read_json('a board of {5" by 3} and: [1, 2]') == [1, 2]
