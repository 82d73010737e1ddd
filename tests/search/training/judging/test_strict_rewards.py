import pytest
from small_episodes import episode, judged, note, search

from designsearch.runtime.episodes.states import Add, Skip, Stop
from designsearch.search.training.judging.quality import scored
from designsearch.search.training.judging.rule_rewards import rule_rewards
from designsearch.search.training.judging.step_facts import facts_of
from designsearch.search.training.judging.strict_rewards import StrictJudge, strict_rewards


def strict(gold, *actions, max_steps=8):
    """Strict and rule scores where unit ``i`` shows record ``i``."""
    taken = episode(*actions, max_steps=max_steps)
    facts = facts_of(taken, gold, lambda unit: (unit,))
    return [s for _, s in strict_rewards(facts, taken)], [s for _, s in rule_rewards(facts)]


def test_a_clean_and_complete_episode_is_excellent(held):
    scores, rule = strict([0, 4], search("ferry", 0, 4), Add((note(held, 0), note(held, 4))), Stop())
    assert scores == [100, 100, 100]
    assert rule == [100, 100, 100]


def test_noise_among_notes_counts(held):
    everything = Add(tuple(note(held, unit) for unit in range(5)))
    scores, rule = strict([0], search("ferry", 0, 1, 2, 3, 4), everything, Stop())
    # search 50 + 30 + 20/5; add 31 + 69 * 5/(4 + 5); stop 71 + 29/5
    assert scores == [84, 69, 77]
    assert rule == [92, 92, 100]


def test_what_is_written_down_again_is_noise(held):
    first, again = Add((note(held, 0),)), Add((note(held, 0), note(held, 4)))
    scores, _ = strict([0, 4], search("a", 0), first, search("b", 0, 4), again, Stop())
    assert scores[3] == 31 + round(69 * 5 / 6)


def test_notes_without_evidence_are_bad(held):
    scores, rule = strict([4], search("a", 0), Add((note(held, 0),)), Stop())
    assert (scores[1], rule[1]) == (20, 35)


def test_a_search_whose_evidence_was_never_written_is_at_best_partial():
    scores, rule = strict([0], search("a", 0), Skip(), Stop())
    assert scores == [70, 1, 1]
    assert rule == [100, 1, 1]


def test_a_right_skip_on_the_way_is_good_and_at_the_end_excellent(held):
    scores, _ = strict(
        [0], search("a", 1), Skip(), search("b", 0), Add((note(held, 0),)), search("c", 2), Skip(), Stop()
    )
    assert (scores[1], scores[5]) == (75, 95)


def test_giving_up_counts_half(held):
    half = [search("a", 0), Add((note(held, 0),)), Stop()]
    assert strict([0, 4], *half)[0][2] == 15
    assert strict([0, 4], *half, max_steps=2)[0][2] == 31


def test_without_gold_only_silence_is_right(held):
    assert strict([], Stop())[0] == [100]
    assert strict([], search("a", 0), Add((note(held, 0),)), Stop())[0][2] == 60


def test_the_judge_says_the_same_and_never_fails(held):
    one = judged(held, search("a", 0), Skip(), Stop())
    opinions = StrictJudge().judge([one, one])
    assert [opinion.ok for opinion in opinions] == [True, True]
    assert [score for _, score in scored(opinions[0].steps)] == [70, 20, 1]
    assert StrictJudge().told() == ""


def test_facts_of_other_steps_are_refused(held):
    one = judged(held, search("a", 0), Skip(), Stop())
    with pytest.raises(ValueError, match="zip"):
        strict_rewards(one.facts[:2], one.trajectory)


@pytest.mark.parametrize(
    ("found", "written", "score"),
    [
        (4, (0, 4), 100),  # the first note is carried over, and is no noise beside the new one
        (2, (0,), 75),  # nothing was there, and the notes stay as they are: as a right skip on the way
        (4, (4,), 20),  # gold that was saved is gone
    ],
)
def test_what_is_carried_over_where_notes_give_way(held, found, written, score):
    again = Add(tuple(note(held, unit) for unit in written))
    one = judged(held, search("a", 0), Add((note(held, 0),)), search("b", found), again, Stop(), rule="overwrite")
    assert strict_rewards(one.facts, one.trajectory)[3] == ("add", score)
