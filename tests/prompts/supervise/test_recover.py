from __future__ import annotations

import pytest
from prompt_checks import HOSTILE, assert_harmless

from designsearch.prompts.load import prompt


def test_hostile_records_and_words_change_nothing():
    plain = {"records": ["Lisbon.", "Lisbon."], "question": "Lisbon.", "answer_type": "date", "as_of": "2024-05-01"}
    assert_harmless("supervise/recover", plain, plain | {"records": [HOSTILE, HOSTILE], "question": HOSTILE})


@pytest.mark.parametrize("as_of", ["", "2024-05-01"])
def test_the_day_of_asking_is_told_where_it_is_known(as_of):
    plain = {"records": ["a"], "question": "Where?", "answer_type": "text", "as_of": as_of}
    asked = prompt("supervise/recover").render(**plain)[1][1].splitlines()[-1]
    when = ", which is asked on 2024-05-01" if as_of else ""
    assert asked == f"Answer the question{when}. Type of the answer: text."
