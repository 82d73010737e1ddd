"""The hand-written policy."""

import pytest
from runtime_fakes import ask, memory_of

from designsearch.dsl.problems import UserError
from designsearch.runtime.policies.makers import MODULES, PolicyName, make_policy
from designsearch.runtime.policies.rollout import World, rollout
from designsearch.runtime.records import Queries, Query

ENTRIES = [
    "The kayak trip to Lisbon was fun.",
    "We rowed the kayak on the river.",
    "Zoe moved to Porto in May 2023.",
    "Tea with milk in the morning.",
    "Porto has good tea.",
    "It rained again.",
]
SPLIT = """
storage:
  stores:
    mine: {units: {op: turns, roles: [user]}}
    other: {units: {op: turns, roles: [assistant]}}
retrieval: [{op: bm25, store: mine}]
"""
M = memory_of(ENTRIES, "retrieval: [{op: bm25, k: 2, stopwords: english}]")


def episodes(*questions, memory=M, queries=None, **settings):
    world = World(memory, queries or ask(*questions), memory.design.retrieval, **settings)
    return rollout(world, make_policy("rules", world))


def searches(episode):
    return [(one.source, one.query.text) for one in episode.final.searches]


def test_it_stops_when_every_telling_word_is_noted():
    (episode,) = episodes("Was the kayak trip to Lisbon fun?")
    assert searches(episode) == [("question", "Was the kayak trip to Lisbon fun?")]
    assert episode.notes[0].unit == 0
    assert episode.final.step == 1
    assert episode.steps[-1].action.forced == ""


def test_it_searches_for_what_no_note_holds_yet():
    m = memory_of(ENTRIES, "retrieval: [{op: bm25, k: 1, stopwords: english}]")
    (episode,) = episodes("Who went on the kayak trip to Lisbon, and who had milk?", memory=m)
    assert searches(episode)[1] == ("uncovered", "went milk")
    assert [note.unit for note in episode.notes] == [0, 3]
    assert episode.steps[-1].action.type == "stop"


def test_it_searches_for_names_and_dates_that_are_left():
    m = memory_of(
        ["kayak kayak", "kayak boat", *["kayak"] * 3, "Zoe Doe", "May 2023 rain"], "retrieval: [{op: bm25, k: 1}]"
    )
    (episode,) = episodes("Did the kayak boat of Zoe Doe break in May 2023?", memory=m)
    assert {source for source, _ in searches(episode)} >= {"question", "uncovered"}
    texts = [m.text(note.unit) for note in episode.notes]
    assert "Zoe Doe" in texts


def test_it_stops_where_a_search_brings_nothing_new():
    entries = [{"text": "kayak", "role": "user"}, {"text": "tea", "role": "assistant"}]
    m = memory_of(entries, SPLIT)
    (episode,) = episodes("kayak tea", memory=m)
    assert [step.action.type for step in episode.steps] == ["search", "add", "search", "skip", "stop"]
    assert episode.final.step < episode.final.max_steps - 1


def test_no_words_no_search():
    for episode in episodes("", "  \n"):
        assert [step.action.type for step in episode.steps] == ["stop"]


def test_a_question_that_finds_nothing_is_skipped():
    (episode,) = episodes("xylophone?")
    assert [step.action.type for step in episode.steps] == ["search", "skip", "stop"]


def test_what_the_stages_before_made_of_the_question_is_searched_for():
    made = (Query("question", "Who had milk and rowed a kayak?"), Query("question", "tea with milk"))
    queries = Queries(("Who had milk and rowed a kayak in Porto?",), ask("q").as_of, (made,))
    m = memory_of(ENTRIES, "retrieval: [{op: bm25, k: 1, stopwords: english}]")
    (episode,) = episodes(memory=m, queries=queries)
    assert searches(episode)[:2] == [("question", made[0].text), ("question", made[1].text)]


def test_no_query_is_asked_twice_and_steps_are_kept_to():
    for episode in episodes("Who rowed in Porto with milk on the river in May 2023 again?", max_steps=4):
        asked = [query for _, query in searches(episode)]
        assert len(asked) == len(set(asked)) <= 3


def test_it_has_no_weights(tmp_path):
    world = World(M, ask("q"), M.design.retrieval)
    with pytest.raises(UserError, match="rules has no weights; leave weights out"):
        make_policy("rules", world, tmp_path)


def test_a_policy_that_is_not_there_is_refused_by_name():
    with pytest.raises(UserError, match="there is no policy oracle; the policies are rules"):
        make_policy("oracle", World(M, ask("q"), M.design.retrieval))


def test_every_policy_that_a_design_may_name_has_a_maker():
    assert PolicyName.__args__ == tuple(MODULES)
