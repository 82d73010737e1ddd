"""Recognising a text inside another one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.forgetting.wording import FORGOTTEN, blanked, by_length, runs, said, says

TEXT = "One two three four five six seven eight nine ten"


def known(*texts):
    return by_length({run for text in texts for run in runs(text)})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (TEXT, True),
        ("... two THREE\nfour, five -- six *seven* eight nine!", True),
        ("two three four five six seven eight", False),
        ("nine eight seven six five four three two one", False),
    ],
)
def test_eight_words_in_a_row_are_enough(text, found):
    assert says(text, known(TEXT)) is found


def test_a_short_text_is_recognised_as_a_whole():
    assert says("She said: Miso ate three socks. Really!", known("Miso ate three socks"))
    assert not says("Miso ate three shoes", known("Miso ate three socks"))


@pytest.mark.parametrize(
    ("text", "fit"), [("ok", False), ("Good night", False), ("PIN 4417", True), ("Go to Texel now", True)]
)
def test_what_is_too_short_says_nothing(text, fit):
    assert bool(runs(text)) is fit


def test_scripts_without_spaces_are_read_by_the_character():
    assert says("她说：备用钥匙在第三个蓝色花盆下面。", known("工作室的备用钥匙在第三个蓝色花盆下面，不要告诉别人"))


def test_forms_of_one_letter_are_one():
    assert says("CAFE\u0301 Zoe\u0308 opens at ten on Mondays", known("Café Zoë opens at ten"))


def test_passages_are_blanked_and_the_rest_stays():
    text = f"# before: {TEXT}; after\nkey: value"
    assert blanked(text, known(TEXT)) == f"# before: {FORGOTTEN}; after\nkey: value"


def test_what_is_said_is_told_run_by_run():
    assert len(said(TEXT, known(TEXT))) == 3
    assert len(said("one two three four five six seven eight", known(TEXT))) == 1


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_a_text_is_found_wherever_it_stands_and_gone_when_blanked(before, text, after):
    wanted = known(text)
    whole = f"{before} {text} {after}"
    assert says(whole, wanted) is bool(wanted)
    if whole.isascii():
        assert not says(blanked(whole, wanted).replace(FORGOTTEN, "|"), wanted)
