import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.search.metrics.fold import fold
from designsearch.search.metrics.words import beginning, has_stem, spaced, stem

ROOTS = (
    "act happi create relate organ sens note day tie die lie cry sky ski hop hope run plan paint friend photo econom "
    "gener univers argu agre study luxuri ident valu use fly try box glass boss bus news inn early only gentl bubbl"
)
ENDINGS = (
    " s es ed ing ings er ers ly y ies ied ying ness ful fulness ation ational ations ative ize izer ization ity "
    "ability ibility able ible ment ments al ally ous ously ive iveness ence ance ency ancy logy ist ism ical e ee "
    "eed eedly 's"
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't stop-me_now!", "don t stop me now"),
        ("355kcal of ps5 on the 5th, 1,200.5", "355 kcal of ps5 on the 5 th 1 200 5"),
        ("“Café” – naïve…", "café naïve"),
        ("मुझे हिन्दी पसंद है।", "मुझे हिन्दी पसंद है"),
        ("我喜欢绿茶。", "我喜欢绿茶"),
        ("🎉party🎉", "party"),
        ("", ""),
    ],
)
def test_spaced(text, words):
    found = spaced(fold(text))
    assert found.split() == words.split()
    assert found[0] == found[-1] == " "


def test_a_stem_is_found_in_any_of_its_forms():
    words = spaced("she was painting two sunsets, dying to hop")
    assert all(has_stem(stem(word), words) for word in ("paint", "painted", "sunset", "die", "hopping"))
    assert not any(has_stem(stem(word), words) for word in ("pain", "set", "hope", "sun", "to two"))


@given(st.sampled_from(ROOTS.split()), st.sampled_from(["", *ENDINGS.split()]))
def test_words_begin_as_their_stems_promise(root, ending):
    word = root + ending
    assert word.startswith(beginning(stem(word)))


@given(st.text("abceginsty", min_size=1, max_size=9))
def test_any_letters_begin_as_their_stem_promises(word):
    assert word.startswith(beginning(stem(word)))
    assert has_stem(stem(word), f" other {word} words ")


@given(st.text(max_size=40))
def test_no_word_is_lost_at_the_edges(text):
    words = spaced(fold(f"tea {text} cups"))
    assert has_stem("tea", words)
    assert has_stem("cup", words)
