"""One question through a design, with a model that answers."""

import pytest
from model_fakes import ScriptedModel, failing
from small_world import DESIGN

from designsearch.asking import ask
from designsearch.dsl.problems import UserError
from designsearch.dsl.validate import load_design
from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.models.answering import ModelAnswerer
from designsearch.runtime.operators import load_all
from designsearch.runtime.records import Record
from designsearch.runtime.services import Services

HISTORY = Dataset("h", (Record("m1", "Miso ate 3 socks today.", "2025-03-09", author="Ida"),))
CHECKED = DESIGN + "answer: {check: {rounds: 1}, max_output_tokens: 9}\n"


def asked(script, text=DESIGN, question="How many socks?", helper=None, history=HISTORY):
    design = load_design(text, "d.yaml", load_all())
    answers = ModelAnswerer(ScriptedModel(script))
    return ask(design, history, question, budget=100, answers=answers, services=Services(helper=helper))


def test_a_model_answers():
    found = asked(lambda request: "3")
    assert (found.answer.text, found.answer.calls, found.answerer) == ("3", 1, "scripted")


def test_the_draft_is_checked_where_the_design_says_so():
    helper = ScriptedModel(lambda request: {"supported": True, "problem": ""})
    found = asked(lambda request: "3", CHECKED, helper=helper)
    assert (found.answer.text, found.answer.calls) == ("3", 2)
    assert "Miso ate 3 socks" in helper.requests[0].messages[-1].content


def test_a_failure_is_told_apart_from_an_abstention():
    assert asked(lambda request: "NO ANSWER").to_json()["answer"]["abstained"] is True
    failed = asked(failing).to_json()["answer"]
    assert (failed["abstained"], failed["failure"]) == (False, "invalid: no JSON in the reply")


@pytest.mark.parametrize("question", ["", " \n"])
def test_an_empty_question_asks_nobody(question):
    with pytest.raises(UserError, match="the question is empty"):
        asked(failing, question=question)


def test_a_model_is_asked_to_search_once():
    text = DESIGN.replace("retrieval:\n", "retrieval:\n  - {op: multi_query, n: 1}\n")
    assert "multi_query" in text
    helper = ScriptedModel(lambda request: {"texts": ["Number of socks?"]})
    asked(lambda request: "3", text, helper=helper)
    assert len(helper.requests) == 1


def test_each_step_of_a_policy_is_told():
    text = DESIGN.replace("{op: bm25, k: 50}", "{op: policy, search: [{op: bm25, k: 5}]}")
    found = asked(lambda request: "3", text, question="How many socks did Miso eat?")
    first, last = found.stages
    assert [(step.action, step.source, step.query) for step in first.episode] == [
        ("search", "question", "How many socks did Miso eat?"),
        ("add", "", ""),
        ("stop", "", ""),
    ]
    assert [step.records for step in first.episode] == [(("m1",),), (("m1",),), ()]
    assert first.episode[1].tokens > 0
    assert last.episode == ()
    assert found.to_json()["stages"][0]["episode"][1]["records"] == (("m1",),)


def test_what_a_note_cites_is_told_and_what_a_model_wrote_in_it():
    def script(request):
        tools = [tool.name for tool in request.tools]
        if "add_note" in tools:
            arguments = {"event_id": "E0", "datetime": "", "content": "how many", "evidence_turns": [1]}
            return [{"tool": "add_note", "arguments": arguments}]
        noted = any("Your notes:" in message.content for message in request.messages)
        tool, arguments = ("answer_from_notes", {}) if noted else ("search_memory_units", {"query": "socks"})
        return {"tool": tool, "arguments": arguments}

    text = DESIGN.replace("{op: bm25, k: 50}", "{op: policy, policy: llm, search: [{op: bm25, k: 5}]}")
    text = text.replace("op: records", "op: sessions")
    talk = Dataset("h", tuple(Record(f"m{i}", f"Miso ate {i} socks", session="s") for i in (1, 2)))
    found = asked(lambda request: "3", text, helper=ScriptedModel(script), history=talk)
    added = found.stages[0].episode[1]
    assert (added.records, added.contents) == ((("m1",),), ("how many",))
    (hit,) = found.stages[0].top
    assert (hit.records, hit.text) == (("m1",), "Miso ate 1 socks")
    assert [unit.records for unit in found.context.units] == [("m1",)]
