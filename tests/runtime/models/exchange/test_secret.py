from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.models.exchange.secret import Secret


@given(st.text(alphabet="abc-", min_size=8), st.text(), st.text())
def test_a_key_is_never_shown(key, before, after):
    secret = Secret(key)
    assert key not in secret.hide(before + key + after)
    assert key not in repr(secret)


@given(st.text(alphabet="abc-", min_size=8), st.binary())
def test_a_key_is_taken_out_of_bytes(key, around):
    assert key.encode() not in Secret(key).hide_in(around + key.encode() + around)


@pytest.mark.parametrize("written", ["sk/a+b=c-12", "sk%2Fa%2Bb%3Dc-12", "sk/a%2Bb%3Dc-12", "sk\\/a+b=c-12"])
def test_a_key_is_found_as_addresses_and_json_write_it(written):
    secret = Secret("sk/a+b=c-12")
    assert secret.hide(f"see https://x/?k={written}&") == "see https://x/?k=***&"
    assert secret.hide_in(f"<{written}>".encode()) == b"<***>"


def test_a_key_is_taken_out_of_json():
    secret = Secret("sk-12345678")
    body = {"a": ["sk-12345678", 1, {"x sk-12345678": None}], "vector": [0.5, 1.5]}
    assert secret.hide_within(body) == {"a": ["***", 1, {"x ***": None}], "vector": [0.5, 1.5]}
    assert Secret("none").hide_within({"none": "none"}) == {"none": "none"}
    assert Secret(None).hide_within(["a"]) == ["a"]


def test_a_stand_in_stays_in_bytes():
    assert Secret("none").hide_in(b"none") == b"none"
    assert Secret(None).hide_in(b"none") == b"none"


def test_a_stand_in_is_hidden_as_a_word_only():
    assert Secret("none").hide("none: nonetheless, none.") == "***: nonetheless, ***."


@pytest.mark.parametrize("nothing", [None, "", "  "])
def test_without_a_key_nothing_is_hidden(nothing):
    secret = Secret(nothing)
    assert not secret
    assert secret.sendable
    assert secret.hide("a b") == "a b"


@pytest.mark.parametrize(
    ("key", "sendable"), [("sk-1", True), ("sk-1\n", True), ("sk\n1", False), ("sk 1", False), ("schlüssel", False)]
)
def test_what_a_header_can_hold(key, sendable):
    assert Secret(key).sendable is sendable
