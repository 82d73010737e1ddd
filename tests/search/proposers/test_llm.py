from __future__ import annotations

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llm_fakes import BASE, edit, failure, reply, state
from model_fakes import ScriptedModel, failing

from designsearch.dsl.problems import OutOfBudgetError
from designsearch.dsl.validate import load_design
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.operators import load_all
from designsearch.search.proposers.base import Attempt, Proposal
from designsearch.search.proposers.llm import LlmProposer
from designsearch.search.proposers.llm_reply import SCHEMA
from designsearch.search.study_choices import LlmOptions

BAD = reply(edit("set", "retrieval[0].kk", "5"))
GOOD = reply(edit("set", "retrieval[0].k", "300"))


def scripted(*replies):
    left = iter(replies)
    return ScriptedModel(lambda request: next(left))


def proposed(model, now=None, **options):
    return LlmProposer(model, LlmOptions(**options)).propose(now or state(failures=[failure()]))


def costly(value=None, failed="", detail=""):
    return Reply(
        value=value, failure=failed, detail=detail, input_tokens=1000, output_tokens=50, seconds=1.25, cost=0.002,
        calls=2, cached=True,
    )  # fmt: skip


def test_a_valid_proposal_takes_one_request():
    model = scripted(GOOD)
    proposal = proposed(model)
    assert model.batches == [1]
    assert proposal.text == BASE.replace("k: 100", "k: 300")
    assert proposal.edits == ({"op": "set", "path": "retrieval[0].k", "value": 300},)
    assert (proposal.proposer, proposal.problem) == ("llm", "")
    assert (proposal.rationale, proposal.expected) == ("The evidence ranks low.", "more of it is shown")


def test_what_is_not_valid_is_told_back_and_repaired():
    model = scripted(BAD, reply(), GOOD)
    proposal = proposed(model)
    assert model.batches == [1, 1, 1]
    first, second, third = ("\n".join(m.content for m in request.messages) for request in model.requests)
    assert "cannot be used" not in first
    assert "design.yaml:4:24: retrieval[0].kk: bm25 has no parameter kk (did you mean k?)" in second
    assert "there are no edits" in third
    assert "parameter kk" not in third  # the last try alone
    assert second.startswith(first)
    assert proposal.problem == ""
    assert proposal.params["requests"] == 3


def test_after_two_repairs_it_is_returned_with_its_problem():
    model = scripted(BAD, BAD, BAD, GOOD)
    proposal = proposed(model)
    assert len(model.requests) == 3
    assert proposal.text == BASE.replace("k: 100", "k: 100, kk: 5")
    assert proposal.problem.startswith("design.yaml:4:24: retrieval[0].kk: bm25 has no parameter kk")
    assert proposal.edits == (edit("set", "retrieval[0].kk", "5"),)
    assert Proposal.from_json(proposal.to_json(), proposal.text) == proposal
    assert len(scripted_requests(BAD, GOOD, repairs=0)) == 1


def scripted_requests(*replies, **options):
    model = scripted(*replies)
    proposed(model, **options)
    return model.requests


def test_a_design_that_was_scored_before_is_told_back():
    known = load_design(BASE.replace("k: 100", "k: 300"), "x", load_all()).hash
    now = state(attempts=[Attempt(0, Proposal(""), known, "p", "rejected", 0.41, -0.1)], tried=[known])
    model = scripted(GOOD, GOOD, reply(edit("set", "retrieval[0].k", "400")))
    assert proposed(model, now).text == BASE.replace("k: 100", "k: 400")
    assert "this design was scored before: 0.4100" in model.requests[1].messages[-1].content
    stubborn = proposed(scripted(GOOD, GOOD, GOOD), now)
    assert (stubborn.problem, stubborn.text) == ("", BASE.replace("k: 100", "k: 300"))  # the study calls it a duplicate


def test_a_reply_that_failed_is_a_problem():
    model = ScriptedModel(failing)
    proposal = proposed(model)
    assert len(model.requests) == 1
    assert proposal.problem == "the model gave no usable reply (invalid: no JSON in the reply)"
    assert (proposal.text, proposal.edits, proposal.params["calls"]) == (BASE, (), 2)
    later = proposed(scripted(BAD, Reply(failure="truncated", detail="at max_output_tokens=1024", calls=1)))
    assert later.problem.startswith(
        "the model gave no usable reply (truncated: at max_output_tokens=1024); its proposal before that: design.yaml:4"
    )


def test_what_the_replies_took_is_kept_as_it_first_was():
    proposal = proposed(scripted(costly(BAD), costly(GOOD)))
    assert proposal.params == {
        "requests": 2, "calls": 4, "input_tokens": 2000, "output_tokens": 100, "cost": 0.004, "seconds": 2.5,
    }  # fmt: skip
    assert (proposal.calls, proposal.cost) == (4, 0.004)


def test_what_no_request_survives_is_raised():
    def script(request):
        raise OutOfBudgetError("all calls are used")

    with pytest.raises(OutOfBudgetError):
        proposed(ScriptedModel(script))


def test_words_of_a_model_are_one_plain_line():
    proposal = proposed(scripted(reply(edit("set", "retrieval[0].k", "5"), rationale="\x1b[31mred\n\nline\ud800" * 99)))
    assert proposal.rationale.startswith("[31mred line [31mred line")
    assert len(proposal.rationale) <= 600


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
paths = st.sampled_from(
    ["retrieval[0].k", "retrieval[0]", "retrieval", "retrieval[-1].op", "context", "context.item", "version", "name",
     "storage.views.v", "storage.stores.a.units", "answer.check", "x-mine", "a.b[3]", "", "[0]", "context.sections[0]",
     "retrieval[0].when", "retrieval[0].k.deep"]
) | st.text(max_size=12)  # fmt: skip
texts = st.sampled_from(
    ["5", "", "null", "{tune: [1, 9]}", "{tune: [1, 9", "{op: dense}", "op: rrf\nkappa: 3", "[{op: bm25}]", "- a\n- b",
     "{{ unit.text }}", "{{ unit.", "&a [*a]", "!!python/object:os.system x", "|\n  block", "'", "\t", "---\na: 1",
     "[" * 3000, "{a: " * 400, "1e999", "9" * 500, "\ud800", "\x00", "? x", "<<: {a: 1}", "{tune: [0.1, 0.30000001]}",
     "{op: branch, branches: {a: [{op: bm25, k: {tune: [1, 5]}}]}, fuse: {op: rrf}}", "{model: x}", "*nowhere"]
) | st.text(max_size=30)  # fmt: skip
edits = st.builds(
    edit, st.sampled_from(["set", "insert", "remove", "move"]), paths, st.none() | texts, st.none() | paths
)


@settings(max_examples=100, deadline=None)
@given(st.lists(edits, min_size=1, max_size=5))
def test_whatever_edits_come_the_design_is_valid_or_the_problem_is_said(made):
    jsonschema.validate(reply(*made), SCHEMA)
    now = state()
    proposal = proposed(ScriptedModel(lambda request: Reply(value=reply(*made), calls=1)), now, repairs=0)
    proposal.text.encode("utf-8")
    if not proposal.problem:
        load_design(proposal.text, "x", load_all())
        assert "tune" not in str(proposal.edits)


@settings(max_examples=60, deadline=None)
@given(json_values | st.fixed_dictionaries({"edits": json_values | st.lists(st.builds(
    edit, json_values, json_values, json_values, json_values), max_size=3)}))  # fmt: skip
def test_whatever_json_comes_nothing_is_raised(value):
    proposal = proposed(ScriptedModel(lambda request: Reply(value=value, calls=1)), state(), repairs=1)
    assert proposal.proposer == "llm"
    if not proposal.problem:
        load_design(proposal.text, "x", load_all())
