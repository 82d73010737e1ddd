from rule_worlds import WORLD, all_of, plainly
from supervision_histories import make_history

from designsearch.search.supervision.offline.unknowns import unanswerable


def test_what_was_never_said_together():
    sketches = all_of(unanswerable, rows=[0, 1])
    assert sketches
    for sketch in sketches:
        assert (sketch.plan.answerable, sketch.plan.answer, sketch.plan.facts) == (False, None, ())
        assert plainly(sketch).startswith("on which date did I speak of ")
        assert " together with " in plainly(sketch)


def test_what_some_record_says_together_is_not_asked():
    texts = ["The narrow violin, the harbour lamp.", "The walnut harvest, the tin orchard."]
    apart = make_history(*({"text": text} for text in texts))
    assert all_of(unanswerable, apart, rows=[0, 1])
    together = make_history(*({"text": text} for text in (*texts, " ".join(texts))))
    assert all_of(unanswerable, together, rows=[0, 1]) == []


def test_a_single_record_leaves_nothing_open():
    assert all_of(unanswerable, rows=[0]) == []
    assert len(WORLD) == 6
