from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.models.exchange.one_line import one_line


@given(st.text(), st.integers(10, 50))
def test_any_text_fits_on_one_line(text, limit):
    line = one_line(text, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
    line.encode()


def test_what_is_cut_says_so():
    assert one_line("a\n\tb\x1b[31m c", 20) == "a b [31m c"
    assert one_line("abcdefghijkl", 10) == "abcdefg..."
