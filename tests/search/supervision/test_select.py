"""Which questions are taken, which wait, which are refused, and when a part comes to its end."""

import pytest

from designsearch.runtime.records import Evidence, Question
from designsearch.search.supervision.contracts import Rejection
from designsearch.search.supervision.items import Item
from designsearch.search.supervision.ledger import End
from designsearch.search.supervision.select import BARREN, DUPLICATE, OFFICIAL, OVERUSED, PLENTY, Selection
from designsearch.search.supervision.settings import SupervisionSettings

MONTHS = {f"r{i}": f"2024-{1 + i % 12:02d}" for i in range(1000)}


def selection(wanted=None, official=(), months=None, **settings):
    given = {"unanswerable": 0, "updated": 0} | settings
    return Selection(wanted or {"train": 10}, SupervisionSettings(**given), MONTHS, months or {"train": 12}, official)


def question(number, kind="lookup", records=None, words=None):
    evidence = tuple(Evidence(one) for one in (records if records is not None else [f"r{number}"]))
    return Question(f"q{number}", words or f"w{number} x{number} y{number}?", "a", type=kind, evidence=evidence)


def offer(chosen, number, part="train", **more):
    """Let the selection decide on the next question, and enter it as it does."""
    asked = question(number, **more)
    verdict = chosen.verdict(part, asked)
    chosen.enter(Item(part, chosen.next_of(part), "kept", question=asked).decided(verdict))
    return verdict


def reject(chosen, number, part="train"):
    for _ in range(number):
        chosen.enter(Item(part, chosen.next_of(part), "rejected", lost=Rejection("plan", "no plan")))


def test_a_near_duplicate_is_refused_in_any_part():
    chosen = selection({"train": 5, "validation": 5}, months={"train": 1, "validation": 1})
    words = "when did we buy the blue kiln from the potter in Delft?"
    assert offer(chosen, 1, words=words) == "kept"
    verdict = offer(chosen, 2, part="validation", words=words.replace("Delft", "Gouda"))
    assert verdict == Rejection("selection", DUPLICATE, "q1, Jaccard index 0.83")


def test_a_question_like_an_official_one_is_refused():
    chosen = selection(official=["when did we buy the kiln?"])
    verdict = offer(chosen, 1, words="when did they buy a kiln?")
    assert verdict == Rejection("selection", OFFICIAL, "Jaccard index 0.50")
    assert offer(chosen, 2, words="who sold them a kiln?") == "kept"


@pytest.mark.parametrize(("wanted", "most"), [(3, 1), (33, 1), (67, 2), (100, 3), (200, 6)])
def test_no_record_is_in_more_than_three_percent_of_the_questions_or_one(wanted, most):
    chosen = selection({"train": wanted}, months={"train": 1})
    kept = [offer(chosen, number, kind=f"k{number}", records=["r1", f"r{number + 2}"]) for number in range(most)]
    assert kept == ["kept"] * most
    verdict = offer(chosen, 99, kind="other", records=["r1", "r500"])
    assert verdict == Rejection("selection", OVERUSED, "r1")


def test_shares_that_the_user_sets_are_kept_and_their_room_is_left_free():
    chosen = selection({"train": 10}, unanswerable=0.2, updated=0.1, months={"train": 1})
    assert [offer(chosen, i, kind=("a", "b")[i % 2]) for i in range(7)] == ["kept"] * 7
    assert offer(chosen, 7, kind="c") == "spare"
    assert [offer(chosen, i, kind="unanswerable", records=[]) for i in (8, 9)] == ["kept", "kept"]
    refused = Rejection("selection", PLENTY, "unanswerable: 20%")
    assert offer(chosen, 10, kind="unanswerable", records=[]) == refused
    assert offer(chosen, 11, kind="updated") == "kept"
    assert chosen.over("train") == End("train", "enough")


def test_a_kind_and_a_month_have_enough_in_time():
    chosen = selection({"train": 10}, months={"train": 5})
    months = [f"r{i}" for i in (0, 12, 24, 36, 48)]
    assert [offer(chosen, i, kind=f"k{i}", records=[r]) for i, r in enumerate(months)] == ["kept"] * 4 + ["spare"]
    others = [offer(chosen, 10 + i, kind="lookup", records=[f"r{1 + i}"]) for i in range(7)]
    assert others == ["kept"] * 6 + ["spare"]


def test_spare_questions_fill_a_part_whose_balance_is_not_to_be_had():
    chosen = selection({"train": 20}, months={"train": 1})
    assert [offer(chosen, i) for i in range(12)] == ["kept"] * 12
    assert [offer(chosen, 12 + i) for i in range(7)] == ["spare"] * 7
    assert chosen.over("train") is None
    offer(chosen, 20)
    end = chosen.over("train")
    assert end == End("train", "balanced", tuple(range(12, 20)))
    chosen.close(end)
    assert len(chosen.taken("train")) == 20
    assert chosen.next_of("train") is None


def test_spare_questions_are_checked_again_when_they_are_taken():
    chosen = selection({"train": 4}, months={"train": 1})
    assert [offer(chosen, i) for i in range(3)] == ["kept"] * 3
    words = "which of the many blue kilns did the old potter sell to them?"
    assert offer(chosen, 3, words=words) == "spare"
    assert offer(chosen, 4, words=words.replace("old", "young")) == "spare"
    assert offer(chosen, 5, records=["r3"]) == "spare"
    assert chosen.used_up("train") == End("train", "used up", (3,))


def test_a_part_is_given_up_after_bundles_without_a_question():
    chosen = selection(months={"train": 1})
    reject(chosen, BARREN - 1)
    assert chosen.over("train") is None
    offer(chosen, 1)
    reject(chosen, BARREN)
    assert chosen.over("train") == End("train", "barren")
