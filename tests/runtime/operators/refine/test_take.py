from runtime_fakes import call, ranked, rows_of


def test_the_first_of_each_question():
    assert rows_of(call("cascade", "take", ranked([3, 1, 2], [5], []), None, None, k=2)) == [[3, 1], [5], []]
