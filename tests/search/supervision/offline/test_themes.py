from rule_worlds import all_of, plainly
from supervision_histories import make_history

from designsearch.search.supervision.offline.themes import theme

PAIR = (
    {"text": "The harbour lamp cost 40 dollars.", "time": "2024-01-05"},
    {"text": "A harbour lamp shone on the walnut harvest.", "time": "2024-01-06"},
)


def test_a_word_that_two_records_share():
    (sketch, *_) = all_of(theme, make_history(*PAIR))
    assert sketch.plan.answer == "40 dollars"
    assert sketch.plan.records == ("r1", "r0")
    assert plainly(sketch).startswith("how much money did I mention in connection with harbour lamp")
    assert ", also spoken of together with walnut harvest" in plainly(sketch)


def test_of_one_record_alone_when():
    history = make_history({"text": "The harbour lamp shone on the walnut harvest.", "time": "2024-01-05"})
    assert {sketch.plan.kind for sketch in all_of(theme, history)} == {"when"}
