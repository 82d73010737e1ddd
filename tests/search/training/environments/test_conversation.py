from designsearch.runtime.episodes.states import State
from designsearch.runtime.histories.times import parse_time
from designsearch.search.training.environments.conversation import conversation


def test_question_day_and_searches_are_told():
    system, user = conversation(State("Where is Miso?", 4, parse_time("2025-05-01").local))
    assert (system["role"], user["role"]) == ("system", "user")
    assert "You collect notes" in system["content"]
    assert user["content"].startswith("The question is asked on 2025-05-01.")
    assert "\nWhere is Miso?\n" in user["content"]
    assert user["content"].endswith("You may search 3 times.")


def test_no_day_where_none_is_known():
    assert "asked on" not in conversation(State("Where is Miso?", 4))[1]["content"]
