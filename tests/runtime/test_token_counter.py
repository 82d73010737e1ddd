import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime_fakes import WrappedCounter

from designsearch.runtime.indexes.static_embeddings import token_ids, tokenizer
from designsearch.runtime.token_counter import BundledCounter

COUNTER = BundledCounter()

PIECES = st.sampled_from(
    [" ", "  ", "\n", "\n\n", "\r\n", "\t", "-", "=" * 9, "▁", "é", "绿茶", "😀", "\ud800", "\x00", "a"]
)
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=8).map("".join)


def count(text):
    return int(COUNTER.count_all([text])[0])


def test_no_special_tokens_and_no_padding():
    assert COUNTER.count_all(["", "hello", "hello world, this is longer"]).tolist() == [0, 1, 6]


@given(TEXTS.filter(bool), TEXTS)
def test_a_line_break_parts_texts(a, b):
    assert count(a + "\n" + b) == count(a) + count("\n" + b) - count("\n") + 1


@given(TEXTS.filter(bool), TEXTS)
def test_the_counter_of_the_tests_keeps_the_same_rule(a, b):
    counter = WrappedCounter()
    both, first, second, line = counter.count_all([a + "\n" + b, a, "\n" + b, "\n"]).tolist()
    assert both == first + second - line + 1


@given(TEXTS)
def test_a_text_has_at_least_the_tokens_that_it_surely_has(text):
    assert count(text) >= COUNTER.at_least(text)


@given(TEXTS)
def test_word_by_word_it_is_what_the_tokenizer_says(text):
    assert count(text) == len(token_ids([text])[0])


@pytest.mark.parametrize(
    "text", ["", " ", "  ", "a ", " a", "a  b", "▁", "a▁b", "a ▁ b", "\n", " \n ", "\t \t", "猫 é 🎉", "x" * 500]
)
def test_spaces_and_odd_texts_are_what_the_tokenizer_says(text):
    assert count(text) == len(token_ids([text])[0])


def test_words_are_not_remembered_themselves():
    counter = BundledCounter()
    counter.count_all(["a secret that nobody may keep"])
    assert all(isinstance(key, int) and isinstance(value, int) for key, value in counter._known.items())


def test_a_copy_for_another_process_begins_anew():
    counter = BundledCounter()
    counter.count_all(["some words"])
    assert pickle.loads(pickle.dumps(counter))._known == {}


def test_the_bound_is_near_for_ordinary_words():
    text = "the cat sat on the mat and looked at the moon"
    assert COUNTER.at_least(text) == 11
    assert count(text) <= 14


def test_the_longest_token_of_the_vocabulary():
    assert max(len(token) for token in tokenizer().get_vocab()) == COUNTER.longest


def test_no_token_of_the_vocabulary_spans_two_words():
    assert [token for token in tokenizer().get_vocab() if len(token.replace("▁", " ").split()) > 1] == []


@given(TEXTS, st.integers(-1, 12))
def test_truncate_gives_a_prefix_within_the_limit(text, limit):
    cut = COUNTER.truncate(text, limit)
    assert text.startswith(cut)
    assert count(cut) <= max(0, limit)
    if count(text) <= limit:
        assert cut == text


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("one two three four", 2, "one two"),
        ("one two three four", 0, ""),
        ("one two", 9, "one two"),
        ("a \ud800 b", 99, "a \ud800 b"),
        ("😀😀", 5, "😀"),
        ("😀😀", 3, ""),
    ],
)
def test_truncate(text, limit, expected):
    assert COUNTER.truncate(text, limit) == expected
