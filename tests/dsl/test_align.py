from designsearch.dsl.align import align


def stages(*written):
    return [{"op": name, **dict(more)} for name, *more in (tuple(w) if isinstance(w, tuple) else (w,) for w in written)]


def result(old, new):
    found = align(stages(*old), stages(*new), "op")
    return found.kept, found.moved, found.removed, found.inserted


def test_equal_lists_stay():
    assert result(["a", "b"], ["a", "b"]) == (((0, 0), (1, 1)), (), (), ())


def test_an_entry_that_comes_or_goes_shifts_nothing():
    assert result(["a", "b"], ["x", "a", "b"]) == (((0, 1), (1, 2)), (), (), (0,))
    assert result(["a", "b", "c"], ["a", "c"]) == (((0, 0), (2, 1)), (), (1,), ())


def test_a_moved_entry_is_moved_alone():
    kept, moved, removed, inserted = result(["a", "b", "c", "d"], ["d", "a", "b", "c"])
    assert (kept, moved, removed, inserted) == (((0, 1), (1, 2), (2, 3)), ((3, 0),), (), ())


def test_the_more_similar_partner_wins():
    old = [("bm25", ("k", 5)), ("bm25", ("k", 9))]
    assert result(old, [("bm25", ("k", 9))]) == (((1, 0),), (), (0,), ())
    assert result(old, [("bm25", ("k", 9)), ("bm25", ("k", 5))])[1] != ()


def test_empty_and_long_lists():
    assert result([], []) == ((), (), (), ())
    assert result(["a"], []) == ((), (), (0,), ())
    long = ["a"] * 500
    assert len(result(long, long)[0]) == 500
