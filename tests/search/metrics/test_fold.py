import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.search.metrics.fold import fold, fold_line


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("STRASSE straße", "strasse strasse"),
        ("ﬁle \u2018x\u2019 \u201cy\u201d", "file 'x' \"y\""),
        ("2023\u201305\u221207", "2023-05-07"),
        ("cafe\u0301", "caf\u00e9"),
        ("zero\u200bwidth", "zerowidth"),
        ("\uff11\uff12", "12"),
        ("don`t", "don't"),
    ],
)
def test_fold(text, folded):
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("text", "line"), [(" Berlin. ", "berlin"), ("a\n b\t c?!", "a b c"), ("...", "..."), ("", "")]
)
def test_fold_line(text, line):
    assert fold_line(text) == line


@given(st.text())
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)
