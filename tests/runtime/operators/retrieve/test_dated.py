"""Units by the time that a query names."""

import pytest
from runtime_fakes import ask, call, memory_of, rows_of

DAYS = ["2024-05-01", "2024-05-03", "2024-05-03", "2024-05-05", "2024-05-20", "2024-07-01"]
M = memory_of([{"text": f"t{i}", "time": f"{day}T10:00:00"} for i, day in enumerate(DAYS)] + [{"text": "never"}])


def rows(question, **values):
    return rows_of(call("cascade", "dated", ask(question, as_of="2024-08-01"), M, **values))[0]


def test_the_day_first_and_then_what_lies_beside_it():
    found = call("cascade", "dated", ask("What was on 3 May 2024?"), M)
    assert rows_of(found)[0] == [1, 2, 0, 3]
    assert found.scores.tolist() == pytest.approx([1, 1, 0.5, 0.5])


def test_a_month_scores_less_the_longer_it_is():
    found = call("cascade", "dated", ask("What was in May 2024?"), M, margin=0)
    assert sorted(rows_of(found)[0]) == [0, 1, 2, 3, 4]
    assert found.scores.tolist() == pytest.approx([31**-0.5] * 5)


def test_before_and_after_ask_for_one_side():
    assert rows("What happened after 3 May 2024?") == [1, 2, 3]
    assert rows("What happened before 3 May 2024?") == [1, 2, 0]


def test_k_and_questions_without_a_date():
    assert rows("What was on 3 May 2024?", k=1) == [1]
    assert rows("What was it?") == []
