from designsearch.search.study_budget import Account, Spent
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
