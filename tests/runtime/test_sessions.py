import numpy as np
from runtime_fakes import history_of

from designsearch.runtime.sessions import session_numbers


def test_entries_without_a_session_stand_alone():
    history = history_of([{"text": "a", "session": "s"}, "b", "c", {"text": "d", "session": "s"}])
    numbers = session_numbers(history, np.array([0, 1, 2, 3, 1]))
    assert numbers[0] == numbers[3] >= 0
    assert len({*numbers[[1, 2, 4]].tolist()}) == 3
    assert (numbers[[1, 2, 4]] < 0).all()


def test_no_entries():
    assert session_numbers(history_of([]), np.zeros(0, np.int64)).tolist() == []
