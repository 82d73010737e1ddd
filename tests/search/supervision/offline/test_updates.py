from rule_worlds import all_of, plainly
from supervision_histories import make_history

from designsearch.search.supervision.offline.updates import updated

EARLIER = {"text": "The harbour lamp of the old quarry costs 40 dollars.", "time": "2024-01-05"}
LATER = {"text": "Now the harbour lamp of the quarry costs 75 dollars.", "time": "2024-05-02"}


def test_the_newest_value_counts():
    sketches = all_of(updated, make_history(EARLIER, LATER))
    assert sketches
    for sketch in sketches:
        assert (sketch.plan.answer, sketch.plan.kind, sketch.plan.records) == ("75 dollars", "updated", ("r1",))
        assert plainly(sketch).startswith("when last speaking of ")
        assert plainly(sketch).endswith(", how much money did I mention?")


def test_nothing_was_updated():
    assert all_of(updated, make_history(EARLIER, LATER | {"text": EARLIER["text"]})) == []
    assert all_of(updated, make_history(EARLIER | {"time": None}, LATER | {"time": None})) == []
    assert all_of(updated, make_history(EARLIER, LATER | {"text": "A canoe costs 75 dollars."})) == []
