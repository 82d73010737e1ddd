import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.lexical_tokens import has_content, query_terms, stem_all, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I got a C in the R class, age 7", ["i", "got", "a", "c", "in", "the", "r", "class", "age", "7"]),
        ("dinner at 7:30!", ["dinner", "at", "7", "30"]),
        ("-dinner", ["dinner"]),
        ('36" shelf', ["36", "shelf"]),
        ("don't", ["don", "t"]),
        ("don’t", ["don", "t"]),
        ("snake_case", ["snake", "case"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("ﬁne", ["fine"]),
        ("café cafe\u0301", ["café", "café"]),
        ("绿茶", ["绿", "茶", "绿茶"]),
        ("我喜欢茶", ["我", "喜", "欢", "茶", "我喜", "喜欢", "欢茶"]),
        ("हिन्दी की किताब", ["हिन्दी", "की", "किताब"]),
        ("зелёный Чай", ["зелёный", "чай"]),
        ("ชา", ["ช", "า", "ชา"]),
        ("カタカナ", ["カ", "タ", "カ", "ナ", "カタ", "タカ", "カナ"]),
        ("OrderService를 시작", ["orderservice", "를", "시", "작", "시작"]),
        ("v2版", ["v2", "版"]),
        ("😀 🎉", []),
        ("\ud800", []),
        ("", []),
        ("?!...", []),
        ("the end\u00a0now", ["the", "end", "now"]),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_ascii_gives_the_same_beside_other_scripts(text):
    assert [w for w in words(text + " 茶") if w != "茶"] == words(text)


@given(st.text())
def test_words_of_any_text_are_words(text):
    assert all(word and not word.isspace() for word in words(text))


def test_stop_words_are_dropped_unless_there_is_nothing_else():
    assert query_terms("not for you", "none", "none") == ["not", "for", "you"]
    assert query_terms("tea for you", "none", "english") == ["tea"]
    assert query_terms("not for you", "none", "english") == ["not", "for", "you"]
    assert query_terms("", "english", "english") == []


def test_whether_a_text_has_content():
    assert has_content("for tea", "english")
    assert not has_content("for you", "english")
    assert has_content("for you", "none")
    assert not has_content("?", "none")


def test_stems():
    assert stem_all(["running", "kayaks"], "english") == ["run", "kayak"]
    assert stem_all(["läuft"], "german") == ["lauft"]
    assert stem_all(["running"], "none") == ["running"]
