"""Memory policies inside other stages: what they did is seen, and where they lost a record."""

from __future__ import annotations

import numpy as np
from policy_fakes import SKIP, STOP, Scripted, add, search
from runtime_fakes import ask, memory_of, rows_of

from designsearch.runtime.lost_at import lost_at
from designsearch.runtime.operators.policy import policy as module
from designsearch.runtime.pipeline import run_cascade
from designsearch.runtime.record_index import RecordIndex

ENTRIES = ["red kayak", "green kayak on the river", "blue kayak and a long story about rivers", "tea with milk"]
POLICY = "{op: policy, max_steps: %d, search: [{op: bm25, k: 3}]}"
BRANCH = "retrieval: [{op: branch, branches: {talk: [{op: recent, k: 1}], old: [%s]}, fuse: {op: rrf}}]"
KAYAK = [search("kayak"), add(0), STOP]


def run(monkeypatch, design, scripts, *questions, memory=None):
    """The run of a design under scripted policies; each that is made follows the next script, the last one on."""
    m = memory or memory_of(ENTRIES, design)
    left = list(scripts)
    make = lambda name, world, weights: Scripted(m, left.pop(0) if len(left) > 1 else left[0])  # noqa: E731
    monkeypatch.setattr(module, "make_policy", make)
    return m, run_cascade(m, m.design.retrieval, ask(*questions))


def played(found, question=0, *, ranked=False):
    """Where policies stand, and their actions."""
    return [
        (path, [step.action.type for step in episode.steps])
        for step in found.steps
        for path, _, episode in step.played(question, ranked=ranked)
    ]


def test_a_policy_in_a_branch_is_seen_for_each_question(monkeypatch):
    _, found = run(monkeypatch, BRANCH % POLICY % 8, [KAYAK], "q", "p")
    place = "retrieval[0].branches.old[0]"
    assert played(found) == played(found, 1) == [(place, ["search", "add", "stop"])]
    episodes = [episode for q in (0, 1) for _, _, episode in found.steps[0].played(q)]
    assert [episode.final.question for episode in episodes] == ["q", "p"]
    assert rows_of(found.ranking)[0] == [0, 3]


def test_where_it_lost_a_record(monkeypatch):
    m, found = run(monkeypatch, BRANCH % POLICY % 8, [KAYAK], "q")
    where = RecordIndex(m.history, m.stores.values())

    def lost(record, steps=found.steps):
        return lost_at(steps, 0, m.history.row[record], where.units_of(record))

    place = "retrieval[0].branches.old[0]"
    assert lost("r3") == ("context", 2), "another branch ranked it"
    assert lost("r2") == (f"{place}.extract", 3)
    tea = [search("tea"), SKIP, STOP]
    _, early = run(monkeypatch, BRANCH % POLICY % 8, [tea], "q")
    assert lost("r1", early.steps) == (f"{place}.stop", None)
    _, full = run(monkeypatch, BRANCH % POLICY % 2, [tea], "q")
    assert lost("r1", full.steps) == (f"{place}.search", None)


def test_what_is_found_in_the_cache_has_its_steps(monkeypatch):
    m, first = run(monkeypatch, BRANCH % POLICY % 8, [KAYAK], "q")
    monkeypatch.setattr(module, "make_policy", None)
    assert played(run_cascade(m, m.design.retrieval, ask("q"))) == played(first) != []


def test_branches_in_branches_say_their_way(monkeypatch):
    inner = "{op: branch, branches: {deep: [{op: recent, k: 1}, %s, {op: rrf}]}, fuse: {op: rrf}}" % (POLICY % 8)
    _, found = run(monkeypatch, BRANCH % inner, [KAYAK], "q")
    place = "retrieval[0].branches.old[0].branches.deep[1]"
    assert played(found) == [(place, ["search", "add", "stop"])]
    assert lost_at(found.steps, 0, 2, np.array([2])) == (f"{place}.extract", 3)


def test_a_note_that_its_branch_dropped_was_lost_by_the_branch(monkeypatch):
    design = BRANCH % f"{POLICY % 8}, {{op: take, k: 1}}"
    _, found = run(monkeypatch, design, [[search("kayak"), add(0, 1), STOP]], "q")
    assert rows_of(found.ranking) == [[0, 3]]
    assert lost_at(found.steps, 0, 1, np.array([1])) == ("retrieval[0]", 2)


def test_a_policy_that_applies_to_some_questions(monkeypatch):
    only = (BRANCH % POLICY % 8).replace("op: policy", "op: policy, when: question.has_date")
    _, found = run(monkeypatch, only, [KAYAK], "kayak?", "kayak on 3 May 2024?")
    assert (len(played(found)), len(played(found, 1))) == (0, 1)
    whole = (BRANCH % POLICY % 8).replace("op: branch", "op: branch, when: question.has_date")
    _, found = run(monkeypatch, whole, [KAYAK], "kayak?", "kayak on 3 May 2024?")
    assert (len(played(found)), len(played(found, 1))) == (0, 1)


def test_a_policy_that_helps_to_word_queries_is_seen_and_blamed_for_nothing(monkeypatch):
    design = f"retrieval: [{{op: prf, max_df: 1.0, feedback: [{POLICY % 8}]}}, {{op: bm25, k: 1}}]"
    _, found = run(monkeypatch, design, [KAYAK], "kayak")
    assert played(found) == [("retrieval[0].feedback[0]", ["search", "add", "stop"])]
    assert lost_at(found.steps, 0, 3, np.array([3])) == (None, None)
    _, within = run(monkeypatch, BRANCH % design[len("retrieval: [") : -1], [KAYAK], "kayak")
    assert played(within) == [("retrieval[0].branches.old[0].feedback[0]", ["search", "add", "stop"])]
    assert played(within, ranked=True) == []
    assert lost_at(within.steps, 0, 1, np.array([1])) == (None, None)


def test_a_policy_in_the_search_of_another_has_an_episode_a_search(monkeypatch):
    design = f"retrieval: [{{op: policy, search: [{POLICY % 8}]}}]"
    outer = [search("kayak"), add(0), search("tea"), SKIP, STOP]
    _, found = run(monkeypatch, design, [outer, KAYAK, [search("tea"), add(0), STOP]], "q", "p")
    places = [path for path, _ in played(found)]
    assert places == ["retrieval[0]", "retrieval[0].search[0]", "retrieval[0].search[0]"]
    assert rows_of(found.ranking) == [[0], [0]]
    assert lost_at(found.steps, 0, 3, np.array([3])) == ("retrieval[0].extract", 1)
    assert lost_at(found.steps, 0, 2, np.array([2])) == ("retrieval[0].search[0].extract", 3)


def test_of_a_question_that_stands_twice_each_has_the_same(monkeypatch):
    _, found = run(monkeypatch, BRANCH % POLICY % 8, [KAYAK], "q", "q")
    assert len(played(found)) == len(played(found, 1)) == 1
