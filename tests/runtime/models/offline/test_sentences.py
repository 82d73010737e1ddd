import re

from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.models.offline.sentences import LONGEST_SENTENCE, sentences_of

END = re.compile(r"[.!?]\s+|\n+")
ABBREVIATION = re.compile(r"\b(?:dr|e\.g)\.\s+$", re.IGNORECASE)


def split(text):
    return list(sentences_of(text, END, ABBREVIATION))


def test_gaps_part_sentences_but_for_those_after_an_abbreviation():
    assert split("She left! He stayed, e.g. here.\nDr. Berg came") == [
        "She left!",
        "He stayed, e.g. here.",
        "Dr. Berg came",
    ]


def test_a_long_sentence_is_cut_at_a_blank_where_it_has_one():
    assert [len(one) for one in split("word " * 150)] == [599, 149]
    assert [len(one) for one in split("x" * 1300)] == [LONGEST_SENTENCE, LONGEST_SENTENCE, 100]


def test_what_is_empty_has_none():
    assert split(" \n ") == []


@given(st.text(alphabet="ab .!\nD r", max_size=2000))
def test_nothing_but_blanks_is_lost(text):
    assert "".join("".join(split(text)).split()) == "".join(text.split())
