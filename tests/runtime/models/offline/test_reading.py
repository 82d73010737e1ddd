from datetime import date

import pytest

from designsearch.runtime.models.offline.reading import read_context
from designsearch.runtime.models.offline.sentences import LONGEST_SENTENCE

DAY = date(2024, 3, 5)


@pytest.mark.parametrize(
    "line",
    [
        "[2024-03-05] Ana: I ran.",
        "2024-03-05 Ana: I ran.",
        "(2024-03-05T09:30) Ana: I ran.",
        "- 2024-03-05 09:30 | Ana | I ran.",
        "[1:56 pm on 5 March, 2024] Ana: I ran.",
        "Tuesday, March 5th, 2024 - Ana: I ran.",
        "Session 3 (2024-03-05) Ana: I ran.",
        "Ana (2024-03-05): I ran.",
    ],
)
def test_a_line_shows_its_day_and_author(line):
    (sentence,) = read_context(line)
    assert (sentence.text, sentence.author, sentence.day) == ("I ran.", "Ana", DAY)


def test_a_heading_dates_the_lines_under_it_and_is_left_out():
    found = read_context("## 2024-03-05\nAna: I ran.\nBen: I slept.\n\n## 2024-03-06\nAna: I ate.")
    assert [(s.author, s.day.day, s.text) for s in found] == [
        ("Ana", 5, "I ran."),
        ("Ben", 5, "I slept."),
        ("Ana", 6, "I ate."),
    ]


def test_lines_without_a_prefix_belong_to_the_item_before():
    found = read_context("[2024-03-05] Ana: First. Second!\nthird line\n[2024-03-06] Ben: Fourth")
    assert [(s.item, s.author) for s in found] == [(1, "Ana"), (1, "Ana"), (1, "Ana"), (2, "Ben")]


def test_bare_text_has_neither():
    (sentence,) = read_context("we met at noon")
    assert (sentence.author, sentence.day, sentence.item) == ("", None, 0)


def test_abbreviations_do_not_end_a_sentence():
    assert [s.text for s in read_context("I asked Dr. Berg. She left.")] == ["I asked Dr. Berg.", "She left."]


def test_a_colon_in_prose_names_no_author():
    assert read_context("my plan: sleep")[0].author == ""


def test_very_long_sentences_are_cut():
    found = read_context("word " * 1000)
    assert max(len(s.text) for s in found) <= LONGEST_SENTENCE
    assert " ".join(s.text for s in found).split() == ["word"] * 1000


def test_nothing_to_read():
    assert read_context("") == []
    assert read_context(" \n\t\n") == []
