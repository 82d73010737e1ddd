from runtime_fakes import call, ranked, rows_of


def test_at_least_the_value():
    ranking = ranked({1: 0.9, 2: 0.5, 3: 0.4}, {4: 0.1}, {})
    assert rows_of(call("cascade", "min_score", ranking, None, None, value=0.5)) == [[1, 2], [], []]
