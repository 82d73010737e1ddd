from designsearch.runtime.models.books.spending import Spending, Tally
from designsearch.search.costs import by_role, difference, summed

BEFORE = [
    Tally("judge", "judge/judge", "base", 4, 1, {"timeout": 1}, Spending(3, 0.3, 30, 3), 1.5),
    Tally("answerer", "answer/answer", "base", 10, 0, {}, Spending(10, 1.0, 1000, 100), 5.0),
    Tally("answerer", "answer/revise", "base", 2, 2, {}, Spending(), 0.0),
]
AFTER = [
    *BEFORE,
    Tally("judge", "judge/judge", "trial 0", 4, 4, {}, Spending(), 0.0),
    Tally("helper", "memory/facts", "trial 0", 2, 0, {"invalid": 1, "timeout": 1}, Spending(4, 0.5, 40, 4), 2.0),
]


def test_tallies_are_summed_by_role_in_the_order_of_roles():
    costs = by_role(BEFORE)
    assert list(costs) == ["answerer", "judge"]
    answerer = costs["answerer"]
    assert (answerer.calls, answerer.replies, answerer.cached, answerer.failures) == (10, 12, 2, 0)
    assert (answerer.input_tokens, answerer.output_tokens, answerer.usd, answerer.seconds) == (1000, 100, 1.0, 5.0)
    assert costs["judge"].failed == {"timeout": 1}


def test_what_was_added_is_told_apart_from_what_was_there():
    added = difference(by_role(AFTER), by_role(BEFORE))
    assert list(added) == ["judge", "helper"]
    assert (added["judge"].calls, added["judge"].cached, dict(added["judge"].failed)) == (0, 4, {})
    assert (added["helper"].calls, added["helper"].failures, added["helper"].usd) == (4, 2, 0.5)
    assert difference(by_role(AFTER), by_role(AFTER)) == {}


def test_all_roles_together():
    total = summed(by_role(AFTER))
    assert (total.calls, total.replies, total.cached, total.failures, total.usd) == (17, 22, 7, 3, 1.8)
    assert summed({}).calls == 0
