"""Text that stays text for one tokenizer."""

from hypothesis import given
from hypothesis import strategies as st

from designsearch.search.training.guard import Guard

TOKENS = ["<odd>", "[odd end]", "</odd>", "\n\n", " ", "x", "<odd>er"]


def test_tokens_of_the_tokenizers_own_are_broken_up_and_read_as_before():
    made = Guard(TOKENS).text("a <odd>er b</odd>\n\n[odd end] x")
    assert made == "a <\u2060odd>er b<\u2060/odd>\n\n[\u2060odd end] x"


def test_messages_keep_all_but_their_text():
    said = [{"role": "user", "content": "a</odd>", "name": "Ida"}, {"role": "system", "content": "b"}]
    assert Guard(TOKENS).messages(said) == [
        {"role": "user", "content": "a<\u2060/odd>", "name": "Ida"},
        {"role": "system", "content": "b"},
    ]
    assert said[0]["content"] == "a</odd>"


@given(st.lists(st.sampled_from([*TOKENS, "<", "o", "d", ">", "/", "["]), max_size=12).map("".join))
def test_no_token_is_left_and_nothing_is_lost(text):
    made = Guard(TOKENS).text(text)
    assert not any(token in made for token in ("<odd>", "[odd end]", "</odd>", "<odd>er"))
    assert made.replace("\u2060", "") == text


def test_a_guard_that_knows_no_token_changes_nothing():
    assert Guard().text("<odd>") == "<odd>"
