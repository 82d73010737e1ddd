from rule_worlds import WORLD, all_of, plainly
from supervision_histories import make_history

from designsearch.search.supervision.offline.pairs import between, bridge, order

PAIR = (
    {"text": "The green harbour lamp was mended with silver solder.", "time": "2024-01-05"},
    {"text": "The green canoe lost its silver paddle for 40 dollars.", "time": "2024-01-06"},
)


def test_one_found_through_the_other():
    sketches = all_of(bridge, make_history(*PAIR))
    assert sketches
    for sketch in sketches:
        assert sketch.plan.answer == "40 dollars"
        assert sketch.plan.records == ("r0", "r1")
        assert plainly(sketch).startswith("after speaking of ")
        assert "how much money did I mention when talking about" in plainly(sketch)


def test_before_where_the_other_is_later():
    later = {"text": PAIR[0]["text"], "time": "2024-02-01"}
    sketches = all_of(bridge, make_history(later, PAIR[1]))
    assert sketches
    assert all(plainly(sketch).startswith("before speaking of ") for sketch in sketches)


def test_no_before_and_after_where_nothing_tells():
    timeless = [{"text": one["text"], "time": None} for one in PAIR]
    assert all_of(bridge, make_history(*timeless)) == []
    paper = [one | {"session": "paper"} for one in timeless]
    assert all(plainly(one).startswith("after speaking") for one in all_of(bridge, make_history(*paper)))


def test_days_between():
    sketches = all_of(between, make_history(*PAIR))
    assert {sketch.plan.answer for sketch in sketches} == {"1 day"}
    assert {sketch.plan.answer for sketch in all_of(between, rows=[0, 1])} == {"37 days"}
    assert all_of(between, rows=[2, 3]) == []
    assert all_of(between, make_history({"text": PAIR[0]["text"]}, {"text": PAIR[1]["text"], "time": "2024"})) == []


def test_which_came_first_or_last():
    sketches = all_of(order, rows=[0, 1])
    assert {sketch.plan.operations[0].how for sketch in sketches} == {"first", "last"}
    for sketch in sketches:
        how, question, answer = sketch.plan.operations[0].how, plainly(sketch), sketch.plan.answer
        assert question.startswith(f"which did I speak of {how}: ")
        about = {fact.about: fact.value for fact in sketch.plan.facts}
        assert all(one in question for one in about)
        assert about[answer] == (min if how == "first" else max)(about.values())


def test_two_speakers_are_not_compared():
    history = make_history(*(one | {"author": who} for one, who in zip(PAIR, ("Ana", "Ben"), strict=True)))
    assert all_of(order, history) == []
    names = {plainly(one).split(" spoke of ")[0] for one in all_of(between, history)}
    assert names <= {f"how many days passed between the day that {who}" for who in ("Ana", "Ben")}
    assert len(WORLD) == 6
