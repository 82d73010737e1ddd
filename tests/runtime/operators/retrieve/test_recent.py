from runtime_fakes import ask, call, memory_of, rows_of


def entry(time):
    return {"text": "x", "time": time}


def test_newest_first_undated_last_later_of_one_time_first():
    m = memory_of([entry("2024-01-01"), entry("2024-03-01"), entry(None), entry("2024-02-01"), entry("2024-03-01")])
    order = [m.history.ids[i] for i in rows_of(call("cascade", "recent", ask("?"), m))[0]]
    assert order == ["r4", "r1", "r3", "r0", "r2"]


def test_the_same_for_every_question_with_scores_of_ranks():
    made = call("cascade", "recent", ask("a", "b"), memory_of([entry("2024"), entry("2025")]), k=5)
    assert rows_of(made) == [[1, 0], [1, 0]]
    assert made.scores.tolist() == [1.0, 0.5, 1.0, 0.5]


def test_k_and_an_empty_store():
    assert rows_of(call("cascade", "recent", ask("a"), memory_of([entry("2024"), entry("2025")]), k=1)) == [[1]]
    assert rows_of(call("cascade", "recent", ask("a"), memory_of([]))) == [[]]


def test_years_before_1970():
    m = memory_of([entry("1931-02-03"), entry("1945"), entry(None)])
    assert [m.history.ids[i] for i in rows_of(call("cascade", "recent", ask("?"), m))[0]] == ["r1", "r0", "r2"]
