"""The further texts that a model writes for each unit."""

from __future__ import annotations

import pytest
from model_fakes import RememberingModel, ScriptedModel, failing, quoted_in
from runtime_fakes import call, history_of, memory_of

from designsearch.dsl.problems import OutOfBudgetError
from designsearch.runtime.operators.storage.describe_view import TASKS
from designsearch.runtime.services import Services

ENTRIES = [
    {"text": "We met", "session": "s", "author": "Ana", "time": "2024-03-01"},
    {"text": "and ate", "session": "s", "author": "Ben", "time": "2024-03-01"},
    {"text": "Later", "session": "t", "author": "Ana", "time": "2024-03-02"},
    {"text": " "},
]
ANSWERS = {
    "summary": lambda text: {"summary": f" sum of {text} "},
    "session_summary": lambda text: {"summary": f"sum of {text}"},
    "questions": lambda text: {"questions": [f"{text}?", " ", f"{text}?", "why?"]},
    "describe": lambda text: {"description": f"{text} felt"},
}
QUOTED = {"summary": "part", "session_summary": "part", "questions": "text", "describe": "text"}


def script(op):
    return lambda request: ANSWERS[op]("+".join(quoted_in(request, QUOTED[op])))


def view(op, entries=ENTRIES, answers=None, of="records", **params):
    model = ScriptedModel(answers or script(op))
    history = history_of(entries)
    return call("views", op, call("units", of, history), history, Services(helper=model), **params), model


def test_a_summary_a_unit():
    made, model = view("summary", of="sessions", words=9)
    assert made[1] == "sum of Saturday 2024-03-02, Ana: Later"
    assert made[2] == " "
    assert model.batches == [2]
    assert "at most 9" in model.requests[0].messages[0].content


def test_a_session_is_summed_up_once():
    made, model = view("session_summary")
    assert made[0] == made[1] == "sum of Friday 2024-03-01, Ana: We met+Friday 2024-03-01, Ben: and ate"
    assert made[2:] == ["sum of Saturday 2024-03-02, Ana: Later", " "]
    assert model.batches == [2]


def test_only_sessions_with_units_are_summed_up():
    model = ScriptedModel(script("session_summary"))
    history = history_of([entry | {"role": "user" if i < 2 else "tool"} for i, entry in enumerate(ENTRIES)])
    units = call("units", "turns", history, roles=("user",))
    call("views", "session_summary", units, history, Services(helper=model))
    assert len(model.requests) == 1


def test_questions_one_a_line():
    assert view("questions", [ENTRIES[3], "tea"])[0] == [" ", "tea?\nwhy?"]
    assert view("questions", ["tea"], count=2)[0] == ["tea?"]
    assert view("questions", ["tea"], own=True)[0] == ["tea\ntea?\nwhy?"]
    assert view("questions", ["tea"], lambda r: {"questions": []})[0] == ["tea"]


@pytest.mark.parametrize("aspect", TASKS)
def test_a_description_of_one_side(aspect):
    made, model = view("describe", ["tea"], aspect=aspect)
    assert made == ["tea felt"]
    assert TASKS[aspect] in model.requests[0].messages[0].content
    assert view("describe", ["tea"], aspect=aspect, own=True)[0] == ["tea\ntea felt"]
    assert view("describe", ["tea"], lambda r: {"description": " "}, aspect=aspect)[0] == ["tea"]


@pytest.mark.parametrize("op", ANSWERS)
def test_a_unit_whose_request_failed_keeps_its_own_text(op):
    made, _ = view(op, answers=lambda r: failing(r) if "Later" in r.messages[-1].content else script(op)(r))
    assert made[2:] == ["Later", " "]
    assert made[0] != "We met"


@pytest.mark.parametrize("op", ANSWERS)
def test_one_more_record_asks_about_it_alone_and_an_interrupted_run_about_the_rest(op):
    model = RememberingModel(ScriptedModel(script(op)), most=1)
    design = f"storage: {{views: {{made: {{op: {op}}}}}}}"

    def texts(entries):
        return memory_of(entries, design, Services(helper=model)).store(None).texts("made")

    with pytest.raises(OutOfBudgetError):
        texts(ENTRIES)
    assert len(model.news()) == 1
    model.most = None
    before = texts(ENTRIES)
    assert len(model.news()) == (1 if op == "session_summary" else 2)
    after = texts([*ENTRIES, {"text": "new", "session": "u"}])
    (new,) = model.news()
    assert "new" in new.messages[-1].content
    assert tuple(after[:4]) == tuple(before)
