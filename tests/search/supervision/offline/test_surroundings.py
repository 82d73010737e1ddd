import pickle
from datetime import date

import numpy as np
import pytest
from rule_worlds import WORLD, around
from supervision_histories import make_history

from designsearch.search.supervision.offline.phrases import phrases_in
from designsearch.search.supervision.offline.surroundings import stems_in


def test_rows_that_hold_a_word():
    assert around().holding("lamp") == [0, 4]
    assert around().holding("nothing") == []
    allowed = np.array([False, True, True, True, True, True])
    assert around(allowed=allowed).holding("lamp") == [4]


def test_a_rare_phrase_tells_more_than_a_common_one():
    world = around()
    lamp, violin = phrases_in("lamp")[0], phrases_in("violin")[0]
    assert world.rarity(violin) == 2**-0.25
    assert world.rarity(lamp) == 3**-0.25


def test_days():
    assert around().days[:2] == (date(2024, 1, 5), date(2024, 2, 11))
    assert around(make_history({"text": "x", "time": "2024-02"}, {"text": "y", "time": None})).days == (None, None)


def test_years():
    assert not around().years
    assert around(make_history({"time": "2023-05-01"}, {"time": "2024-05-01"})).years
    assert not around(make_history({"text": "x", "time": None})).years


def test_which_was_written_before():
    history = make_history(
        {"text": "a", "time": "2024-02-01", "session": "s"},
        {"text": "b", "time": "2024-02-02T10:00", "session": "s"},
        {"text": "c", "time": "2024-02-02T10:00", "session": "s"},
        {"text": "d", "time": "2024-02-02T10:00"},
    )
    world, row = around(history), history.row
    assert world.was_before(row["r0"], row["r1"]) is True
    assert world.was_before(row["r1"], row["r0"]) is False
    assert world.was_before(row["r1"], row["r2"]) is True
    assert world.was_before(row["r1"], row["r3"]) is None
    timeless = make_history({"text": "a", "time": None}, {"text": "b", "time": None})
    assert around(timeless).was_before(0, 1) is None


def test_capitals_that_are_no_names():
    history = make_history(
        {"text": "Glazes dry slowly. We met Otto and otto again."}, {"text": "The glazes of Otto, those glazes."}
    )
    world = around(history)
    assert world.is_word("Glazes")
    assert not world.is_word("Otto")
    assert not world.is_word("{0}")
    assert not world.is_word("glazes")


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_echo_is_what_stands_beside_in_the_same_session(role):
    history = make_history(
        {"text": "My kiln broke.", "session": "s"},
        {"text": "That ceramic furnace!", "session": "s", "role": role},
        {"text": "A new workshop.", "session": "s"},
        {"text": "Unrelated orchard.", "session": "t"},
        {"text": "Another orchard."},
        {"text": "Some meadow."},
    )
    world = around(history)
    heard = [[phrase.text for phrase in world.echo(row)] for row in range(6)]
    talk = [["ceramic furnace"], ["kiln", "workshop"], ["ceramic furnace"]]
    answered = [["ceramic furnace"], ["workshop"], []]
    assert heard == [*(talk if role == "user" else answered), [], [], []]


def test_what_a_program_wrote_is_no_echo():
    history = make_history(
        {"text": "My kiln broke.", "session": "s", "role": "user"},
        {"text": "Ida left the group.", "session": "s", "role": "system"},
    )
    assert around(history).echo(0) == []


def test_kept_and_read_again():
    again = pickle.loads(pickle.dumps(around()))
    assert again.holding("harvest") == around().holding("harvest") == [2, 3]
    assert again.was_before(0, 1) is True


def test_stems():
    assert stems_in("The lamps and a lamp, please") == {"lamp"}
    assert len(WORLD) == 6
