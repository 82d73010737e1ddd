"""Episodes of a batch in lock step."""

from __future__ import annotations

import pytest
from policy_fakes import SKIP, STOP, Scripted, add, search
from runtime_fakes import ask, memory_of

import designsearch.runtime.policies.rollout as module
from designsearch.runtime.episodes.states import Add, Stop
from designsearch.runtime.policies.notes import note_of
from designsearch.runtime.policies.rollout import PolicyError, World, rollout

ENTRIES = ["red kayak", "green kayak on the river", "blue kayak and a long story about rivers", "tea with milk"]
M = memory_of(ENTRIES, "retrieval: [{op: bm25, k: 3}]")


def world(*questions, **settings):
    return World(M, ask(*questions), M.design.retrieval, **settings)


def types(episode):
    return [step.action.type for step in episode.steps]


def test_an_episode_ends_with_its_notes():
    (episode,) = rollout(world("Which kayak?"), Scripted(M, [search("kayak"), add(0, 2), search("tea"), SKIP, STOP]))
    assert types(episode) == ["search", "add", "search", "skip", "stop"]
    assert [note.unit for note in episode.notes] == [0, 2]
    assert [(one.record, one.start, one.end) for one in episode.notes[1].cited] == [(2, 0, len(ENTRIES[2]))]
    assert episode.final.done
    assert episode.final.step == 2
    assert [one.unit for one in episode.steps[2].found] == [3]


def test_searches_of_all_go_through_the_cascade_together_and_equal_ones_once(monkeypatch):
    batches = []
    run = module.run_cascade

    def counted(memory, stages, queries, *rest):
        batches.append([own[0].text for own in queries.queries])
        return run(memory, stages, queries, *rest)

    monkeypatch.setattr(module, "run_cascade", counted)
    scripts = [search("kayak"), add(0), STOP], [search("tea"), SKIP, search("kayak"), add(1), STOP]
    policy = Scripted(M, *scripts)
    episodes = rollout(world("a", "b", "a", "b"), policy)
    assert batches == [["kayak", "tea"], ["kayak"]]
    assert policy.calls == [[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3], [1, 3], [1, 3]]
    assert episodes[0] == episodes[2]
    assert [len(one.steps) for one in episodes] == [3, 5, 3, 5]


def test_a_batch_gives_what_each_question_gives_alone():
    scripts = [search("kayak"), add(0), STOP], [search("tea"), add(0), search("green river"), add(0), STOP]
    together = rollout(world("a", "b"), Scripted(M, *scripts))
    for row, script in enumerate(scripts):
        assert rollout(world("ab"[row]), Scripted(M, script)) == (together[row],)


def test_whole_units_are_shown_while_they_fit_and_at_least_the_first():
    counted = M.services.counter.count_all(ENTRIES).tolist()
    script = [search("kayak"), add(0), STOP]

    def first(tokens):
        (episode,) = rollout(world("q", observation_tokens=tokens), Scripted(M, script))
        return episode

    wide = first(1000).steps
    order = [one.unit for one in wide[0].found]
    assert order == [0, 1, 2]
    assert [step.tokens for step in wide] == [0, sum(counted[:3]), 0]
    assert first(1000).observed == sum(counted[:3])
    two = first(counted[0] + counted[1])
    assert [one.unit for one in two.steps[0].found] == [0, 1]
    assert [one.unit for one in two.steps[0].hidden] == [2]
    assert two.observed == counted[0] + counted[1]
    one = first(1)
    assert ([c.unit for c in one.steps[0].found], one.observed) == ([0], counted[0])


def test_what_was_not_shown_cannot_be_noted():
    def note_the_last(memory, state):
        return Add((note_of(memory, 2),))

    (episode,) = rollout(world("q", observation_tokens=1), Scripted(M, [search("kayak"), note_the_last]))
    assert episode.steps[-1].action == Stop("a note cites unit 2, which the latest search did not find")
    assert episode.notes == ()


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ([search("kayak"), search("tea")], "search is not allowed in mode extract: add or skip"),
        ([search("kayak"), STOP], "stop is not allowed in mode extract: add or skip"),
        ([SKIP], "skip is not allowed in mode decide: search or stop"),
        ([search("kayak"), PolicyError("no tokens are left")], "no tokens are left"),
        ([PolicyError()], "the policy failed"),
        ([Stop("out of tokens")], "out of tokens"),
    ],
)
def test_a_policy_that_cannot_go_on_is_a_forced_stop_that_is_recorded(script, why):
    (episode,) = rollout(world("q"), Scripted(M, script))
    assert episode.steps[-1].action == Stop(forced=why)
    assert episode.steps[-1].choices == ()
    assert len(episode.steps) == len(script)


def test_in_the_last_step_only_stopping_is_left():
    script = [search("kayak"), add(0), search("tea"), add(0), search("red")]
    (episode,) = rollout(world("q", max_steps=3), Scripted(M, script))
    assert episode.steps[-1].action.forced == "search is not allowed in mode decide: stop"
    assert [note.unit for note in episode.notes] == [0, 3]


def test_one_that_is_refused_stops_alone():
    episodes = rollout(world("a", "b"), Scripted(M, [SKIP], [search("tea"), add(0), STOP]))
    assert [types(one) for one in episodes] == [["stop"], ["search", "add", "stop"]]


def test_a_mistake_in_a_policy_is_not_hidden():
    with pytest.raises(KeyError):
        rollout(world("q"), Scripted(M, [KeyError("x")]))
    silent = Scripted(M, [STOP])
    silent.act = lambda states, rows: []
    with pytest.raises(ValueError, match="shorter"):
        rollout(world("q"), silent)


def test_no_questions_at_all():
    assert rollout(world(), Scripted(M, [])) == ()


def test_tokens_do_not_grow_with_the_history():
    seen = []
    for size in (100, 3_000):
        m = memory_of([f"kayak {i} on the river {i % 7}" for i in range(size)], "retrieval: [{op: bm25, k: 10}]")
        (episode,) = rollout(
            World(m, ask("kayak river"), m.design.retrieval), Scripted(m, [search("kayak"), SKIP, STOP])
        )
        seen.append((episode.observed, len(episode.steps[0].found)))
    assert seen[0][1] == seen[1][1] == 10
    assert seen[1][0] <= 1.2 * seen[0][0]
