from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.models.exchange.surrogates import without_halves


@given(st.text())
def test_a_text_without_halves_stays_as_it_is(text):
    assert without_halves(text) == text


@given(st.text(alphabet=st.characters()))
def test_any_text_can_be_written_to_a_file(text):
    assert len(without_halves(text).encode()) >= len(text)
