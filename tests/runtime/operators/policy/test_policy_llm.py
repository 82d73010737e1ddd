"""``policy: llm`` in a design: what it needs, what it is offered, and that a used-up budget ends the work."""

from __future__ import annotations

import pytest
from model_fakes import RememberingModel, ScriptedModel, failing
from runtime_fakes import ask, design_of, history_of, rows_of

from designsearch.dsl.problems import OutOfBudgetError, UserError
from designsearch.runtime.memory import Memory
from designsearch.runtime.pipeline import run_cascade
from designsearch.runtime.services import Services

TEXTS = ["kayak river", "tram ticket", "the kayak trip", "green tea"]


def call(tool, **arguments):
    return {"tool": tool, "arguments": arguments}


def design(**settings):
    written = "".join(f", {name}: {value}" for name, value in settings.items())
    return design_of(f"retrieval: [{{op: policy, policy: llm{written}, search: [{{op: bm25, k: 3}}]}}]")


def ranked(helper, *questions, **settings):
    m = Memory(design(**settings), history_of(TEXTS), Services(helper=helper))
    return run_cascade(m, m.design.retrieval, ask(*questions))


def keeps(unit):
    """A script: search for the question, note a unit, stop."""

    def script(request):
        tools = [tool.name for tool in request.tools]
        if "add_note" in tools:
            return [call("add_note", event_id=f"E{unit}", datetime="", content="c", evidence_turns=[1])]
        if any("Your notes:" in message.content for message in request.messages):
            return call("answer_from_notes")
        return call("search_memory_units", query="kayak")

    return script


def test_the_notes_are_the_ranking():
    model = ScriptedModel(keeps(2))
    run = ranked(model, "kayak")
    assert rows_of(run.ranking) == [[2]]
    assert [step.action.type for step in run.steps[0].episodes[0].steps] == ["search", "add", "stop"]


def test_with_rest_what_was_not_kept_follows():
    assert rows_of(ranked(ScriptedModel(keeps(2)), "kayak", rest="true").ranking) == [[2, 0]]


def test_where_the_model_fails_before_there_is_a_note_the_plain_search_counts():
    run = ranked(ScriptedModel(failing), "kayak", "zebra")
    assert rows_of(run.ranking) == [[0, 2], []]
    for episode in run.steps[0].episodes:
        assert episode.steps[0].action.forced == "invalid: no JSON in the reply"
        assert episode.notes == ()


def test_where_it_fails_later_its_notes_count():
    script = keeps(2)

    def fails(request):
        return failing(request) if any("Your notes:" in m.content for m in request.messages) else script(request)

    assert rows_of(ranked(ScriptedModel(fails), "kayak").ranking) == [[2]]


def test_a_budget_that_is_used_up_makes_no_ranking():
    with pytest.raises(OutOfBudgetError, match="llm_calls is reached"):
        ranked(RememberingModel(ScriptedModel(keeps(2)), most=1), "kayak")


def test_it_needs_a_helper():
    assert design().retrieval[0].needs_model
    assert not design_of("retrieval: [{op: policy, search: [{op: bm25}]}]").retrieval[0].needs_model
    with pytest.raises(UserError, match="needs a model for the role helper"):
        ranked(None, "kayak")


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"actions": "[stop, add]"}, "actions with stop need search too"),
        ({"actions": "[search, skip]"}, "actions with skip need add too"),
        ({"actions": "[]"}, "actions are empty"),
        ({"actions": "[search, dance]"}, "dance"),
        ({"policy": "rules", "actions": "[search, add]"}, "offered to policy llm alone"),
        ({"policy": "rules", "instructions": "Be brief."}, "read by policy llm alone"),
        ({"instructions": '""'}, "at least 1 character"),
    ],
)
def test_settings_that_make_no_policy(settings, told):
    written = "".join(f", {name}: {value}" for name, value in ({"policy": "llm"} | settings).items())
    with pytest.raises(UserError, match=told):
        design_of(f"retrieval: [{{op: policy{written}, search: [{{op: bm25}}]}}]")


def test_one_set_of_actions_is_one_design():
    assert design(actions="[stop, search]").hash == design(actions="[search, stop]").hash


@pytest.mark.parametrize(
    ("actions", "requests"), [("[search, add, skip, stop]", 14), ("[search, stop]", 7), ("[add]", 7)]
)
def test_its_work_is_forecast(actions, requests):
    assert design(actions=actions).retrieval[0].params.model_work().requests == requests
