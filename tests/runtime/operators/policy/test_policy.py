"""A memory policy as a stage of the cascade."""

from __future__ import annotations

import numpy as np
import pytest
from policy_fakes import SKIP, STOP, Scripted, add, search
from runtime_fakes import REGISTRY, ask, design_of, memory_of, rows_of

from designsearch.dsl.diff import diff
from designsearch.dsl.operators import Stage
from designsearch.dsl.problems import InvalidFileError
from designsearch.dsl.source import scan
from designsearch.dsl.validate import load_design, load_design_file
from designsearch.runtime.episodes.explored import Explored
from designsearch.runtime.lost_at import lost_at
from designsearch.runtime.operators.policy import policy as module
from designsearch.runtime.pipeline import run_cascade
from designsearch.runtime.record_index import RecordIndex
from designsearch.search.catalogue import tunables

ENTRIES = ["red kayak", "green kayak on the river", "blue kayak and a long story about rivers", "tea with milk"]
RETRIEVAL = "retrieval: [{op: policy, search: [{op: bm25, k: 3}]%s}]"


def run(monkeypatch, design, scripts, *questions, entries=ENTRIES):
    """The run of a design under a scripted policy."""
    m = memory_of(entries, design)
    monkeypatch.setattr(module, "make_policy", lambda name, world, weights: Scripted(m, *scripts))
    return m, run_cascade(m, m.design.retrieval, ask(*questions))


def test_the_notes_are_ranked_in_the_order_of_writing(monkeypatch):
    script = [search("kayak"), add(2, 0), search("tea"), add(0), STOP]
    _, found = run(monkeypatch, RETRIEVAL % "", [script], "q")
    assert rows_of(found.ranking) == [[2, 0, 3]]
    assert found.ranking.scores.tolist() == [1.0, 0.5, 1 / 3]
    assert [step.action.type for step in found.steps[0].episodes[0].steps] == ["search", "add", "search", "add", "stop"]


def test_the_rest_follows_after_the_notes(monkeypatch):
    script = [search("tea"), SKIP, search("kayak"), add(1), STOP]
    _, found = run(monkeypatch, RETRIEVAL % ", rest: true", [script], "q")
    assert rows_of(found.ranking) == [[1, 3, 0, 2]]
    _, found = run(monkeypatch, RETRIEVAL % ", rest: true, observation_tokens: 50", [script], "q")
    assert rows_of(found.ranking) == [[1, 3, 0, 2]]


def test_notes_become_the_units_of_a_store_that_show_their_source_text(monkeypatch):
    long = "one two three four. " * 20 + "the kayak was red. " + "five six seven eight. " * 20
    design = """
storage:
  stores:
    talks: {units: {op: sessions}}
    parts: {units: {op: windows, size: 20, overlap: 0}}
retrieval: [{op: policy, store: parts, search: [{op: bm25, store: talks, k: 3}]}]
"""
    entries = [{"text": long, "session": "a"}, {"text": "tea", "session": "b"}, {"text": "kayak", "session": "a"}]
    m, found = run(monkeypatch, design, [[search("kayak"), add(0), STOP]], "q", entries=entries)
    ids = rows_of(found.ranking)[0]
    assert {m.source_of(unit)[0] for unit in ids} == {"parts"}
    assert "".join(m.text(unit) for unit in ids).count("kayak") == 2
    assert {record for unit in ids for record in m.source_of(unit)[1]} == {"r0", "r2"}


def test_units_of_a_store_are_only_those_whose_text_is_cited(monkeypatch):
    long = " ".join(f"word{i}" for i in range(120))
    design = """
storage:
  stores:
    wide: {units: {op: windows, size: 40, overlap: 0}}
    parts: {units: {op: windows, size: 10, overlap: 0}}
retrieval: [{op: policy, store: parts, search: [{op: bm25, store: wide, k: 1}]}]
"""
    m, found = run(monkeypatch, design, [[search("word45"), add(0), STOP]], "q", entries=[long])
    shown = " ".join(m.text(unit) for unit in rows_of(found.ranking)[0]).split()
    assert "word45" in shown
    assert len(shown) < 70


def test_a_test_decides_for_which_questions_it_works(monkeypatch):
    design = RETRIEVAL % ", when: question.has_date"
    _, found = run(monkeypatch, design, [[search("kayak"), add(0), STOP]], "kayak", "kayak on 3 May 2023")
    assert rows_of(found.ranking) == [[], [0]]
    assert [episode is None for episode in found.steps[0].episodes] == [True, False]


def test_a_stage_after_it_tells_no_episodes(monkeypatch):
    design = "retrieval: [{op: policy, search: [{op: bm25, k: 3}]}, {op: take, k: 9}]"
    _, found = run(monkeypatch, design, [[search("kayak"), add(0), STOP]], "q")
    assert [len(step.episodes) for step in found.steps] == [1, 0]


def test_the_result_is_cached_with_its_episodes(monkeypatch):
    m, first = run(monkeypatch, RETRIEVAL % "", [[search("kayak"), add(0), STOP]], "q")
    monkeypatch.setattr(module, "make_policy", None)
    again = run_cascade(m, m.design.retrieval, ask("q"))
    assert again.steps[0].episodes == first.steps[0].episodes
    assert isinstance(again.ranking, Explored)
    assert again.ranking.nbytes > 3_000


def test_where_a_record_was_lost(monkeypatch):
    script = [search("kayak"), add(0), STOP]
    design = "retrieval: [{op: policy, max_steps: %d, search: [{op: bm25, k: 3}]}]"
    m, found = run(monkeypatch, design % 8, [script], "q")
    where = RecordIndex(m.history, m.stores.values())

    def lost(record, steps=found.steps):
        return lost_at(steps, 0, m.history.row[record], where.units_of(record))

    assert lost("r0") == ("context", 1)
    assert lost("r2") == ("retrieval[0].extract", 3)
    assert lost("r3") == ("retrieval[0].stop", None)
    _, full = run(monkeypatch, design % 2, [script], "q")
    assert lost("r3", full.steps) == ("retrieval[0].search", None)


def test_what_another_retriever_ranked_was_not_lost_by_the_policy(monkeypatch):
    design = """
retrieval:
  - {op: recent, k: 1}
  - {op: policy, search: [{op: bm25, k: 3}]}
  - {op: rrf}
  - {op: take, k: 1}
"""
    _, found = run(monkeypatch, design, [[search("kayak"), add(0), STOP]], "q")
    assert rows_of(found.ranking) == [[0]]
    assert lost_at(found.steps, 0, 3, np.array([3])) == ("retrieval[3]", 2)
    assert lost_at(found.steps, 0, 1, np.array([1])) == ("retrieval[1].extract", 2)


@pytest.mark.parametrize(
    ("stage", "said"),
    [
        ("{op: policy}", "policy needs search (the inner cascade that each search runs)"),
        ("{op: policy, search: []}", "must have at least 1 entry; got 0"),
        ("{op: policy, search: [{op: take, k: 3}]}", "take has no ranking to work on"),
        ("{op: policy, search: [{op: bm25}, {op: dense}]}", "the cascade ends with 2 open rankings"),
        ("{op: policy, search: [{op: bm25, view: x}]}", "there is no view x"),
        ("{op: policy, store: x, search: [{op: bm25}]}", "there is no store x"),
        ("{op: policy, max_steps: 1, search: [{op: bm25}]}", "must be at least 2 and at most 200; got 1"),
        ("{op: policy, policy: learned, search: [{op: bm25}]}", "policy learned needs its weights: add weights: FILE"),
        ("{op: policy, weights: w, search: [{op: bm25}]}", "policy rules has no weights: leave weights out"),
        ("{op: policy, policy: oracle, search: [{op: bm25}]}", "retrieval[0].policy: must be"),
    ],
)
def test_mistakes_are_told(stage, said):
    with pytest.raises(InvalidFileError) as told:
        design_of(f"retrieval: [{stage}]")
    assert said in str(told.value)


def test_its_scores_have_no_scale():
    with pytest.raises(InvalidFileError, match="min_score compares scores that have no scale"):
        design_of("retrieval: [{op: policy, search: [{op: dense}]}, {op: min_score, threshold: 0.2}]")


TEXT = "version: 1\nretrieval:\n  - {op: policy, policy: learned, weights: w.json, search: [{op: bm25}]}\n"


def test_weights_are_a_file_beside_the_design_and_part_of_its_identity(tmp_path, monkeypatch):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "design.yaml").write_text(TEXT)
        (tmp_path / folder / "w.json").write_text("1")
    one, same = (load_design_file(tmp_path / folder / "design.yaml", REGISTRY) for folder in ("a", "b"))
    assert one.hash == same.hash
    (tmp_path / "a/w.json").write_text("22")
    other = load_design_file(tmp_path / "a/design.yaml", REGISTRY)
    assert other.hash != one.hash
    assert [str(change.path) for change in diff(one, other)] == ["('retrieval', 0, 'weights')"]
    seen = []
    monkeypatch.setattr(
        module, "make_policy", lambda name, world, weights: seen.append(weights) or Scripted(None, [STOP])
    )
    m = memory_of(ENTRIES)
    m.design = other
    run_cascade(m, other.retrieval, ask("q"))
    assert seen == [(tmp_path / "a/w.json").resolve()]
    run_cascade(m, one.retrieval, ask("q"))
    assert len(seen) == 2, "other weights, another cache key"


def test_weights_that_are_not_there_are_told_with_their_place(tmp_path):
    (tmp_path / "design.yaml").write_text(TEXT)
    with pytest.raises(InvalidFileError) as told:
        load_design_file(tmp_path / "design.yaml", REGISTRY)
    assert 'design.yaml:3:44: retrieval[0].weights: there is no file or folder "w.json"' in str(told.value)
    assert load_design(TEXT, registry=REGISTRY).hash  # of a text nobody knows the folder


def test_a_search_turns_its_numbers_and_those_of_its_cascade():
    tree = scan("version: 1\nretrieval:\n  - {op: policy, search: [{op: bm25, k: 30}, {op: take, k: 10}]}\n").value
    names = {one.name for one in tunables(tree, REGISTRY)}
    assert {"policy.max_steps", "policy.observation_tokens", "policy.rest", "bm25.k", "take.k"} <= names
    assert not names & {"policy.policy", "policy.weights", "policy.store"}


def test_params_that_name_no_file_have_no_contents():
    (stage,) = design_of("retrieval: [{op: policy, search: [{op: bm25}]}]").retrieval
    assert isinstance(stage, Stage)
    assert stage.contents == ()
    assert stage.canonical()["weights"] is None
