from __future__ import annotations

import pytest
from llm_fakes import BASE, edit, reply, state

from designsearch.dsl.edit import Edit, apply
from designsearch.dsl.source import scan
from designsearch.dsl.validate import load_design
from designsearch.runtime.operators import load_all
from designsearch.search.proposers.base import Attempt, Proposal
from designsearch.search.proposers.llm_reply import Ideas
from designsearch.search.proposers.llm_revision import revise


def made(*edits, now=None):
    return revise(now or state(), Ideas.of(reply(*edits)))


def test_comments_and_layout_stay_and_each_edit_sees_the_ones_before():
    revision = made(
        edit("insert", "retrieval[0]", "{op: dense, k: 50}"),
        edit("set", "retrieval[1].k", "300"),
        edit("insert", "retrieval[2]", "op: rrf\nkappa: 30"),
        edit("move", "retrieval[0]", to="retrieval[1]"),
        edit("set", "context.item", '"{{ unit.author }}: {{ unit.text }}"'),
        edit("remove", "context.order"),
    )
    assert revision.problem == revision.repeats == ""
    assert revision.text == (
        "version: 1   # stays\n"
        "retrieval:\n"
        "  # by words\n"
        "  - {op: bm25, k: 300}   # not deep\n"
        "  - {op: dense, k: 50}\n"
        "  - {op: rrf, kappa: 30}\n"
        "context:\n"
        '  item: "{{ unit.author }}: {{ unit.text }}"\n'
    )
    text = BASE
    for plain in revision.edits:
        text = apply(text, Edit.from_json(dict(plain)))
    assert text == revision.text


@pytest.mark.parametrize(
    ("edits", "problem"),
    [
        ([], "there are no edits"),
        ([edit("set", "retrieval[0].k", "5")] * 21, "there are 21 edits; 20 are the most"),
        ([edit("set", "retrieval[4].k", "5")], "edit 1, set retrieval[4].k: retrieval has 1 entries: there is no [4]"),
        ([edit("set", "context.order", "edges"), edit("remove", "context.item")],
         "edit 2, remove context.item: there is no context.item"),
        ([edit("set", "a b", "5")], "edit 1: 'a b' is not a path"),
        ([edit("move", "context.order")], "edit 1, move context.order: a move needs the path where it ends"),
        ([edit("set", "context.item", "[1, 2")], "edit 1: the value '[1, 2' is not YAML: "),
        ([edit("set", "context.order", "edge")], "design.yaml:6:10: context.order: must be one of relevance, "),
        ([edit("set", "retrieval[0].k", "0")], "design.yaml:4:19: retrieval[0].k: must be at least 1"),
        ([edit("set", "context.item", '"{{ unit.txt }}"')], "design.yaml:7:18: context.item: unit has no txt"),
        ([edit("insert", "retrieval[0]", "{op: rerank, by: cross_encoder, model: me/mine}")],
         "retrieval[0].model: files and models cannot be chosen here"),
        ([edit("insert", "retrieval[0]", "{op: nothing, inner: [{file: [/etc/passwd]}]}")],
         "retrieval[0].inner[0].file: files and models cannot be chosen here"),
        ([edit("insert", "retrieval[0]", "{op: policy, weights: /etc/passwd, search: [{op: bm25}]}")],
         "retrieval[0].weights: files and models cannot be chosen here"),
        ([edit("set", "base_dir", "/etc")], "base_dir: files and models cannot be chosen here"),
        ([edit("insert", "retrieval[0]", "{op: hyde}")], "retrieval[0]: hyde needs a model, and there is none"),
        ([edit("set", "answer.check", "{}")], "answer.check: answer.check needs a model, and there is none"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(edits, problem):
    revision = made(*edits)
    assert revision.problem.startswith(problem)
    assert "/a/folder" not in revision.problem


def test_a_template_needs_no_quotes():
    revision = made(edit("set", "context.item", "[{{ unit.time | day }}] {{ unit.text }}"))
    assert revision.problem == ""
    assert scan(revision.text).value["context"]["item"] == "[{{ unit.time | day }}] {{ unit.text }}"


def test_a_helper_may_be_used_where_there_is_one():
    assert made(edit("insert", "retrieval[0]", "{op: hyde}"), now=state(helper=True)).problem == ""


def test_a_file_that_the_incumbent_names_may_stay_and_move():
    text = BASE.replace("context:", "  - {op: rerank, by: cross_encoder, model: ./mine}\ncontext:")
    now = state(text)
    assert made(edit("insert", "retrieval[1]", "{op: take, k: 50}"), now=now).problem == ""
    changed = made(edit("set", "retrieval[1].model", "./other"), now=now)
    assert changed.problem == "retrieval[1].model: files and models cannot be chosen here"


def test_designs_that_were_tried_are_known():
    assert "change nothing" in made(edit("set", "context.fill", "skip")).repeats
    text = BASE.replace("k: 100", "k: 200")
    known = load_design(text, "x", load_all()).hash
    again = edit("set", "retrieval[0].k", "200")
    scored = Attempt(0, Proposal(text), known, "p", "rejected", 0.41, -0.1)
    repeated = Attempt(1, Proposal(text), known, "p", "duplicate")
    crashed = Attempt(0, Proposal(text), known, "p", "crashed")
    assert made(again, now=state(attempts=[scored, repeated], tried=[known])).repeats == (
        "this design was scored before: 0.4100"
    )
    assert made(again, now=state(attempts=[crashed], tried=[known])).repeats == (
        "this design was tried before and could not be scored (crashed)"
    )
    assert made(again, now=state(tried=[known], base_score=0.2)).repeats == "this design was scored before: 0.2000"
