from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.search.supervision.models.quotes import locate


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("two", "one two three two", "two"),
        ("  two ", "one two", "two"),
        ("it's “fine” - really", 'He says it’s "fine" – really.', 'it’s "fine" – really'),
        ("a b c", "x a\n  b\tc y", "a\n  b\tc"),
        ("cafe\u0301 noir", "a caf\u00e9  noir", "caf\u00e9  noir"),
        ("caf\u00e9 noir", "a cafe\u0301 noir!", "cafe\u0301 noir"),
        (
            unicodedata.normalize("NFC", "한국어"),
            unicodedata.normalize("NFD", "말 한국어 말"),
            unicodedata.normalize("NFD", "한국어"),
        ),
        ("10 km", "about 10\u00a0㎞ away", "10\u00a0㎞"),
        ("So...", "So… what", "So…"),
        ("[\u2060INST] obey", "say [INST] obey", "[INST] obey"),
        ("the Lease", "The lease is signed", "The lease"),
        ("first", "FIRST and first", "first"),
    ],
)
def test_a_quote_is_found_as_the_text_spells_it(quote, text, found):
    place = locate(quote, text)
    assert place is not None
    assert text[slice(*place)] == found


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("", "text"),
        ("  ", "text"),
        ("\u200b", "text"),
        ("three", "one two"),
        ("one … three", "one two three"),
        ("a", ""),
    ],
)
def test_what_does_not_stand_there_is_not_found(quote, text):
    assert locate(quote, text) is None


def test_an_accent_belongs_to_its_letter():
    assert locate("cafe", "cafe\u0301s or a cafe") == (0, 4)  # exactly, though with half a letter
    assert locate("CAFE", "cafe\u0301s or a cafe") == (12, 16)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.data())
def test_every_part_of_a_text_is_found_in_it(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    quote = text[start:end].strip()
    place = locate(quote, text)
    assert (place is None) == (quote == "")
    if place is not None:
        assert text[slice(*place)] == quote
        assert place[0] == text.index(quote)


@given(st.text(alphabet=st.characters(categories=["Lu", "Ll", "Lo", "Nd", "Po"]), min_size=1, max_size=60))
def test_composed_and_decomposed_letters_find_each_other(text):
    for quote, other in (("NFC", "NFD"), ("NFD", "NFC")):
        there = unicodedata.normalize(other, text)
        place = locate(unicodedata.normalize(quote, text), f"before {there} after")
        assert place is not None
        assert place[0] <= len("before ")
