from rule_worlds import WORLD, all_of, making_of, plainly
from supervision_histories import make_history

from designsearch.search.supervision.offline.lookups import lookup, when


def test_what_a_record_mentions():
    sketches = all_of(lookup, rows=[4])
    assert {sketch.plan.answer for sketch in sketches} == {"75 dollars"}
    for sketch in sketches:
        assert sketch.plan.records == (WORLD.ids[4],)
        assert str(sketch.plan.answer) not in plainly(sketch)
        assert sketch.plan.facts[0].citations[0].quote in WORLD.texts[4]
        assert sketch.day.isoformat() == "2024-05-02"
        assert plainly(sketch).startswith("how much money did I mention ")
    assert all_of(lookup, rows=[0], careful=True)


def test_when_something_was_spoken_of():
    sketches = all_of(when, rows=[1])
    assert {sketch.plan.answer for sketch in sketches} == {"2024-02-11"}
    assert all(sketch.plan.answer_type == "date" and sketch.day is None for sketch in sketches)
    assert all(plainly(sketch).startswith("on which date did I speak of ") for sketch in sketches)


def test_nothing_to_look_up():
    assert all_of(lookup, rows=[2]) == []
    for time in (None, "2024", "2024-02"):
        history = make_history({"text": WORLD.texts[1], "time": time})
        assert when(making_of(history)) is None
