from __future__ import annotations

import pytest
from prompt_checks import HOSTILE, assert_harmless

from designsearch.prompts.load import prompt


@pytest.mark.parametrize("as_of", ["", "2024-05-01"])
def test_a_hostile_question_changes_nothing(as_of):
    plain = {"question": "Where did we eat?", "as_of": as_of, "count": 3}
    assert_harmless("memory/decompose", plain, plain | {"question": HOSTILE})


def test_the_day_of_asking_is_told_where_it_is_known():
    _, (_, dated) = prompt("memory/decompose").render(question="Where?", as_of="2024-05-01", count=3)
    _, (_, undated) = prompt("memory/decompose").render(question="Where?", as_of="", count=3)
    assert dated.startswith("The question is asked on 2024-05-01.")
    assert "asked on" not in undated
