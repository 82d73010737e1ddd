from designsearch.runtime.models.books.spending import Spending
from designsearch.search.spent import Spent
from designsearch.search.study_budget import Account, claim_costs
from designsearch.search.study_shape import BudgetShape


def test_trials_are_used_up():
    account = Account(BudgetShape(trials=2))
    account.add(Spent(trials=1, seconds=5))
    assert account.reached() is None
    account.add(Spent(trials=0, seconds=1))  # one that could not be scored
    assert account.reached() is None
    account.add(Spent(trials=1))
    assert account.reached() == ("trials", "all 2 trials are used")


def test_a_cap_reserves_the_largest_trial_so_far():
    account = Account(BudgetShape(trials=100, minutes=1))
    account.add(Spent(trials=1, seconds=30))
    assert account.reached() is None
    account.add(Spent(trials=1, seconds=1))
    assert account.reached() == ("minutes", "0.5 of 1 minutes are used and a trial may take 0.5")


def test_calls_and_money_are_capped():
    calls = Account(BudgetShape(trials=100, llm_calls=10))
    calls.add(Spent(trials=1, calls=6))
    assert calls.reached() == ("llm_calls", "6 of 10 calls are used and a trial may take 6")
    money = Account(BudgetShape(trials=100, usd=1.0))
    money.add(Spent(trials=1, usd=0.51))
    assert money.reached() == ("usd", "$0.51 of $1 are spent and a trial may cost $0.51")


def test_before_the_first_trial_nothing_is_said_of_what_one_may_take():
    for budget, said in (
        (BudgetShape(llm_calls=10), ("llm_calls", "7 of 10 calls are used; 7 are kept for the claim")),
        (BudgetShape(usd=1.0), ("usd", "$0.60 of $1 are spent; $0.60 are kept for the claim")),
        (BudgetShape(minutes=1), ("minutes", "1.5 of 1 minutes are used")),
    ):
        account = Account(budget, Spent(seconds=90, calls=7, usd=0.6), claim=Spent(calls=7, usd=0.6))
        assert account.reached() == said


def test_what_the_meter_says_counts_and_the_claim_is_kept_aside_for():
    spent = [Spending(40, 0.4)]
    account = Account(BudgetShape(trials=100, llm_calls=100), claim=Spent(calls=20), meter=lambda: spent[0])
    account.add(Spent(trials=1, calls=30, usd=0.3))
    assert account.spent.calls == 40  # ten of them in a trial that was interrupted
    assert account.reached() is None
    spent[0] = Spending(51, 0.51)
    said = "51 of 100 calls are used and a trial may take 30; 20 are kept for the claim"
    assert account.reached() == ("llm_calls", said)
    money = Account(
        BudgetShape(trials=100, usd=1), largest=Spent(usd=0.2), claim=Spent(usd=0.4), meter=lambda: spent[0]
    )
    said = "$0.51 of $1 are spent and a trial may cost $0.20; $0.40 are kept for the claim"
    assert money.reached() == ("usd", said)


def test_the_claim_is_reckoned_by_what_the_base_took():
    assert claim_costs(40, 0.2, validation=40, locked=30) == Spent(calls=60, usd=0.30000000000000004)
    assert claim_costs(41, 0.0, validation=40, locked=1) == Spent(calls=3)
    assert claim_costs(40, 0.2, validation=40, locked=0) == Spent()
    assert claim_costs(0, 0.0, validation=0, locked=30) == Spent()
