import pytest
from pydantic import ValidationError
from runtime_fakes import ask, call, memory_of, ranked, rows_of, stage

TIMES = ["2023-04-30", "2023-05-01T00:30+08:00", "2023-05-08T12:00", "2023-06", None]


def kept(question_time=None, times=TIMES, **params):
    m = memory_of([{"text": str(t), "time": t} for t in times])
    ranking = ranked([m.history.row[f"r{i}"] for i in range(len(times))])
    made = call("cascade", "time_filter", ranking, ask("?", as_of=question_time), m, **params)
    return [m.history.texts[i] for i in rows_of(made)[0]]


def test_between_two_dates():
    assert kept(after="2023-05-01", before="2023-06-01") == [TIMES[1], TIMES[2], "None"]
    assert kept(after="2023-05-01", before="2023-06-01", undated=False) == [TIMES[1], TIMES[2]]


def test_the_day_is_the_local_one():
    assert TIMES[1] in kept(after="2023-05-01", before="2023-05-02")


def test_days_before_the_question():
    assert kept("2023-05-08T12:00", last_days=7.5, undated=False) == [TIMES[1], TIMES[2]]


def test_days_before_the_newest_record_where_the_time_of_asking_is_unknown():
    assert kept(None, last_days=30, undated=False) == [TIMES[2], TIMES[3]]
    assert kept(None, ["1931-01-01", "1931-03-01"], last_days=10) == ["1931-03-01"]


def test_nothing_asked_for_keeps_everything():
    assert kept() == [str(t) for t in TIMES]


def test_a_date_that_cannot_be_read_is_refused():
    with pytest.raises(ValidationError, match="is no time that is understood"):
        stage("cascade", "time_filter", after="next week")
