"""Bytes under names of encodings that are right, wrong or nonsense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.histories.charsets import decode, guessed


@pytest.mark.parametrize(
    ("text", "codec", "charset"),
    [
        ("日本語", "iso-2022-jp", "ISO-2022-JP"),
        ("中文字", "gb18030", "gb2312"),
        ("한글똠", "cp949", "ks_c_5601-1987"),
        ("hällo", "utf-16", "utf-16"),
        ("hällo", "utf-7", "UTF-7"),
        ("“hällo”", "cp1252", "iso-8859-1"),
        ("hällo", "utf-8", "'utf-8'"),
    ],
)
def test_what_is_named_rightly(text, codec, charset):
    assert decode(text.encode(codec), charset) == (text, "")


@pytest.mark.parametrize(
    ("data", "charset", "text", "wrong"),
    [
        (b"plain", "x-mystery", "plain", "the unknown charset 'x-mystery'"),
        ("Zoë".encode(), "utf-8; junk", "Zoë", "junk behind the charset in 'utf-8; junk'"),
        ("Zoë".encode("cp1252"), "", "Zoë", "no charset"),
        (b"plain", "", "plain", ""),
        (b"abc", "utf-16-le", "abc", "bytes that are not utf-16-le"),
        (b"a\\nb", "unicode_escape", "a\\nb", "the unknown charset 'unicode_escape'"),
        (b"+2AA-", "utf-7", "\ufffd", ""),
        (b"6869", "hex", "6869", "the unknown charset 'hex'"),
        (b"x", "a\x00b", "x", "the unknown charset 'a\\x00b'"),
    ],
)
def test_what_is_not(data, charset, text, wrong):
    assert decode(data, charset) == (text, wrong)


def test_broken_bytes_in_utf8_do_not_spoil_the_rest():
    assert guessed("Zoë ".encode() + b"\xff") == "Zoë \ufffd"
    assert guessed(b"caf\xe9 \x81") == "café \ufffd"


@given(
    st.binary(), st.text(max_size=12) | st.sampled_from(["utf-7", "idna", "unicode_escape", "punycode", "big5", "hz"])
)
def test_any_bytes_become_text(data, charset):
    assert decode(data, charset).text.encode("utf-8") is not None
