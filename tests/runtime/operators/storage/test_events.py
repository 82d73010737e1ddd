"""Events: where they end, what they are tied to, and who writes the views they bring."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_fakes import RememberingModel, ScriptedModel, failing, quoted_in
from runtime_fakes import ask, call, design_of, history_of, memory_of, rows_of

from designsearch.dsl.problems import InvalidFileError, OutOfBudgetError
from designsearch.runtime.compile import compile_design
from designsearch.runtime.services import Services

TALK = [
    {"text": "I went to the river festival yesterday.", "author": "Ana", "session": "a", "time": "2024-05-06T10:00"},
    {"text": "Was the river high at the festival?", "author": "Ben", "session": "a", "time": "2024-05-06T10:01"},
    {"text": "The tax form is due in June.", "author": "Ben", "session": "b", "time": "2024-05-07T10:00"},
    {"text": " ", "author": "Ben", "session": "c", "time": "2024-05-08T10:00"},
]


def events(entries, script=None, **params):
    model = None if script is None else ScriptedModel(script)
    by = {} if script is None else {"by": "helper"}
    return call("units", "events", history_of(entries), Services(helper=model), **by | params), model


def written(request):
    first = quoted_in(request, "message")[0].split(": ", 1)[1]
    return {"summary": f" About {first} ", "questions": [" Why? ", "", "Why?", "Who?"], "phrase": "two\nwords"}


def test_the_text_is_the_records_and_rules_make_the_views():
    units, _ = events(TALK, threshold=-1)
    assert units.texts == (f"{TALK[0]['text']}\n{TALK[1]['text']}", TALK[2]["text"], " ")
    assert not units.written
    assert units.views["summary"] == (
        "I went to the river festival yesterday (2024-05-05). Was the river high at the festival?",
        "The tax form is due in June (2024-06).",
        "",
    )
    assert units.views["phrase"][0].startswith("Ana, Ben, 2024-05-06: river")
    assert units.views["anchors"][0].startswith("When did Ana go to the river festival?\nWhat did ")
    assert [view[2] for view in units.views.values()] == ["", "", ""]


def test_they_end_where_topics_do():
    texts = [f"{a} {b}." for a in ("red kayak", "tax form", "old cat") for b in ("river", "trip", "summer")]
    history = history_of([{"text": text, "session": "s"} for text in texts])
    same = {"threshold": 0.4, "window": 2, "tokens": 20}
    assert call("units", "events", history, Services(), **same).texts == (
        call("units", "topics", history, Services(), **same).texts
    )


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.text(st.sampled_from("kay river. I 3?\n我"), max_size=40), st.sampled_from(["", "s", "t"])),
        max_size=8,
    )
)
def test_every_record_stands_in_one_event_of_its_session_word_for_word(entries):
    history = history_of([{"text": text, "session": session} for text, session in entries])
    units = call("units", "events", history, Services(), window=1)
    assert sorted(units.records.tolist()) == list(range(len(history)))
    for u in range(len(units)):
        own = units.records[units.offsets[u] : units.offsets[u + 1]].tolist()
        assert units.texts[u] == "\n".join(history.texts[row] for row in own)
        assert len({history.sessions[row] for row in own}) == 1
        assert len(own) == 1 or history.sessions[own[0]]


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(["red kayak.", "I paid $3.", "tax form", "old cats sleep"]), min_size=1, max_size=6))
def test_a_new_record_changes_no_event_of_another_session(texts):
    before = [{"text": text, "session": f"s{i % 2}", "author": "Ana"} for i, text in enumerate(texts)]
    first, _ = events(before)
    after, _ = events([*before, {"text": "I sold the kayak in Lisbon yesterday.", "session": "new", "author": "Zoe"}])
    size = len(first)
    assert after.texts[:size] == first.texts
    assert np.array_equal(after.records[: len(first.records)], first.records)
    assert {name: texts[:size] for name, texts in after.views.items()} == first.views


def test_the_helper_writes_the_views_and_never_the_text():
    units, model = events(TALK, written, threshold=-1, words=40, questions=3)
    assert units.texts[1] == TALK[2]["text"]
    assert not units.written
    assert {name: texts[1] for name, texts in units.views.items()} == {
        "summary": "About The tax form is due in June.",
        "anchors": "Why?",
        "phrase": "two words",
    }
    assert [view[2] for view in units.views.values()] == ["", "", ""]
    assert model.batches == [2]


def test_a_request_shows_one_event_with_who_and_when():
    _, model = events(TALK, written, threshold=-1, words=40, questions=3)
    assert quoted_in(model.requests[0], "message") == [
        "Monday 2024-05-06 10:00, Ana: I went to the river festival yesterday.",
        "Monday 2024-05-06 10:01, Ben: Was the river high at the festival?",
    ]
    system = model.requests[0].messages[0].content
    assert "at most 40 words" in system
    assert "at most 3, each" in system


def test_what_the_helper_leaves_out_rules_fill_in():
    ruled, _ = events(TALK, threshold=-1)
    failed, _ = events(TALK, failing, threshold=-1)
    assert failed.views == ruled.views
    blank, _ = events(TALK, lambda r: {"summary": " ", "questions": [], "phrase": "label"}, threshold=-1)
    assert blank.views == ruled.views | {"phrase": ("label", "label", "")}


def test_only_the_helper_needs_a_model():
    assert compile_design(design_of("storage: {units: {op: events}}")).design
    with pytest.raises(InvalidFileError, match="events needs a model for the role helper"):
        compile_design(design_of("storage: {units: {op: events, by: helper}}"))
    with pytest.raises(InvalidFileError, match="events needs a model for the role helper"):
        compile_design(design_of("storage: {units: {op: events, boundaries: helper}}"))


@pytest.mark.parametrize("view", ["summary", "anchors", "phrase"])
@pytest.mark.parametrize("op", ["bm25", "dense"])
def test_the_views_are_searched_as_any_other(op, view):
    m = memory_of(TALK, "storage: {units: {op: events, threshold: -1}}")
    assert m.store(None).views == ["raw", "summary", "anchors", "phrase"]
    assert rows_of(call("cascade", op, ask("the tax form in June"), m, view=view, k=1)) == [[1]]


def test_one_more_session_is_one_more_request_and_an_interrupted_run_asks_the_rest():
    model = RememberingModel(ScriptedModel(written), most=1)
    design = "storage: {units: {op: events, by: helper, threshold: -1}}"
    with pytest.raises(OutOfBudgetError):
        memory_of(TALK, design, Services(helper=model))
    assert len(model.news()) == 1
    memory_of(TALK, design, Services(helper=model))
    (rest,) = model.news()
    assert quoted_in(rest, "message")[0].endswith("The tax form is due in June.")
    more = {"text": "A bird sings.", "session": "d", "author": "Ana", "time": "2024-05-09"}
    memory_of([*TALK, more], design, Services(helper=model))
    (new,) = model.news()
    assert quoted_in(new, "message") == ["Thursday 2024-05-09, Ana: A bird sings."]


def test_other_views_are_another_memory():
    design = "storage: {units: {op: events, by: helper}}"
    one = memory_of(TALK, design, Services(helper=ScriptedModel(written)))
    other = memory_of(TALK, design, Services(helper=ScriptedModel(failing)))
    assert one.store(None).view_key("summary") != other.store(None).view_key("summary")


STRETCH = [
    {"id": f"{text} {day}", "text": text, "author": "Ana", "session": session, "time": f"2024-05-0{day}T10:00"}
    for day, (text, session) in enumerate(
        [("Red kayak.", "a"), ("Red kayak trip.", "a"), ("Red kayak sold.", "a"), ("Tax form.", "b"), ("Alone.", "")], 1
    )
]


def groups(units):
    return [units.records[low:high].tolist() for low, high in zip(units.offsets, units.offsets[1:], strict=False)]


def test_the_helper_says_where_events_end():
    units, model = events(STRETCH, lambda request: {"starts": [1, 3, 9, -2]}, by="rules", boundaries="helper")
    assert groups(units) == [[0, 1], [2], [3], [4]]
    # what has nothing beside it is not asked about, and rules write the views
    (request,) = model.requests
    assert quoted_in(request, "message")[1] == "Thursday 2024-05-02 10:00, Ana: Red kayak trip."
    assert units.views["phrase"][1].startswith("Ana, 2024-05-03: ")
    one, _ = events(STRETCH, lambda request: {"starts": []}, by="rules", boundaries="helper")
    assert groups(one)[0] == [0, 1, 2]
    limited, _ = events(STRETCH, lambda request: {"starts": []}, by="rules", boundaries="helper", tokens=16)
    assert len(groups(limited)) > len(groups(one))


def test_where_the_helper_fails_to_say_where_events_end_the_rule_does():
    for threshold in (-1, 1):
        ruled, _ = events(STRETCH, threshold=threshold)
        failed, _ = events(STRETCH, failing, by="rules", boundaries="helper", threshold=threshold)
        assert groups(failed) == groups(ruled)


def test_boundaries_and_views_of_the_helper_are_asked_for_one_after_the_other():
    def both(request):
        return {"starts": [2]} if "starts" in request.schema["properties"] else written(request)

    units, model = events(STRETCH, both, boundaries="helper")
    assert groups(units) == [[0], [1, 2], [3], [4]]
    assert model.batches == [1, 4]
    assert quoted_in(model.requests[2], "message") == [
        "Thursday 2024-05-02 10:00, Ana: Red kayak trip.",
        "Friday 2024-05-03 10:00, Ana: Red kayak sold.",
    ]


def test_a_long_session_is_read_in_parts_and_the_rule_decides_between_them():
    talk = [{"id": f"r{i}", "text": f"Kayak {i}. {'word ' * 300}", "session": "s"} for i in range(120)]
    units, model = events(talk, lambda request: {"starts": []}, by="rules", boundaries="helper", tokens=100_000)
    sizes = [len(quoted_in(request, "message")) for request in model.requests]
    assert len(sizes) > 1
    assert max(sizes) <= 40
    assert sum(sizes) >= 110
    assert all(len(text) <= 1_000 for text in quoted_in(model.requests[0], "message"))
    ruled, _ = events(talk, tokens=100_000)
    assert {own[0] for own in groups(units)} <= {own[0] for own in groups(ruled)}
