"""A policy beside all that it must beat, at equal tokens kept and shown."""

from dataclasses import replace
from statistics import fmean

import pytest
from toy_bench import FEATURES, bench

from designsearch.runtime.policies.weights import Weights
from designsearch.runtime.records import Evidence
from designsearch.search.training.learned.bench import Bench, Outcome
from designsearch.search.training.learned.comparison import above_share, at_budget, inner
from designsearch.search.training.learned.contest import AS_DESIGNED, INNER, ORACLE, SELECTOR, contest, table
from designsearch.search.training.learned.level import at_observed

KNOWING = Weights(
    tokens=8,
    selector={"question_mark": -9.0, "bm25": 0.0},
    go_on={"always": 2.0, "rank": -1.0},
    decide={"question": {"first": 4.0}, "stop": {"always": 1.0}},
)


@pytest.fixture(scope="module")
def toy():
    return bench()


@pytest.fixture(scope="module")
def found(toy):
    return contest([toy], {"policy": KNOWING}, KNOWING, 8)


def test_what_knows_the_answer_finds_it_and_rank_alone_does_not(found):
    recall = {name: fmean(one.recall for one in own) for name, own in found.items()}
    assert recall["policy"] == recall[SELECTOR] == recall[ORACLE] == 1.0
    assert recall[INNER] <= 0.3
    assert recall["untrained policy"] < 1.0


def test_all_are_shown_as_much_as_the_policy_and_keep_as_much(found):
    level = fmean(one.observed for one in found["policy"])
    kept = fmean(one.tokens for one in found["policy"])
    for name, own in found.items():
        if name.startswith(AS_DESIGNED):
            assert fmean(one.observed for one in own) > level
            assert name.removeprefix(AS_DESIGNED) in found
        else:
            # a search shows one unit at least, so that not every level can be met in so small a history
            assert fmean(one.observed for one in own) <= 1.5 * level, name
            assert fmean(one.tokens for one in own) <= kept + 4, name


def test_the_gain_is_over_the_inner_cascade(found):
    rows = {row.name: row for row in table(found, ["toy"] * 20)}
    assert rows[INNER].gain == 0
    assert rows["policy"].gain == pytest.approx(rows["policy"].recall - rows[INNER].recall)
    assert rows["policy"].spread is None


def test_the_window_is_found_that_shows_just_so_much(toy):
    asked = []

    def three_searches(benches):
        asked.append(benches[0].world.observation_tokens)
        return [Outcome(0.0, 0, 3 * asked[-1] // 2, 3)]

    (one,) = at_observed([toy], three_searches, 600.0)
    assert one.observed == pytest.approx(600, rel=0.02)
    assert asked[0] == toy.world.observation_tokens
    assert asked[-1] == 400
    assert toy.world.observation_tokens == asked[0], "the bench itself stays as it is"


def test_what_fits_wholly_is_kept_wholly(toy):
    found, shown, searches = inner([toy])
    kept = at_budget(found, 1e9, shown, searches)
    assert [one.tokens for one in kept] == shown
    cut = above_share(found, 1e9, shown, searches)
    assert [one.tokens for one in cut] == shown


def test_questions_whose_evidence_the_history_lacks_are_left_out(toy):
    task = toy.task
    lost = replace(task.questions[0], id="lost", evidence=(Evidence("elsewhere"),))
    half = replace(task.questions[1], id="half", evidence=(Evidence("elsewhere"), *task.questions[1].evidence))
    asked = replace(task, questions=(lost, half))
    own = Bench(asked, toy.memory, lambda queries, search: replace(toy.world, queries=queries), (), FEATURES)
    assert own.rows == (1,)
    assert own.gold == (toy.gold[1],)
