"""Statements that a model takes out of batches of records."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_fakes import RememberingModel, ScriptedModel, failing, quoted_in
from runtime_fakes import call, history_of, memory_of

from designsearch.dsl.problems import OutOfBudgetError, UserError
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.operators.storage.spans import JOIN
from designsearch.runtime.services import Services

CHAT = [
    {"text": "I moved to Lisbon last Friday", "time": "2023-05-07T09:30:15", "author": "Ana", "role": "user"},
    {"text": "How is it?", "time": "2023-05-07T09:31", "author": "Bot", "role": "assistant"},
    {"text": "Warm. I pay 900 euros", "time": "2023-06", "author": "Ana", "role": "user"},
    {"text": "", "author": "Bot", "role": "assistant"},
]


def facts(entries, script, **params):
    """Texts, and the ids of the records behind each."""
    model = ScriptedModel(script)
    history = history_of(entries, session="s")
    units = call("units", "facts", history, Services(helper=model), **params)
    assert units.written
    records = [
        [history.ids[r] for r in units.records[units.offsets[u] : units.offsets[u + 1]]] for u in range(len(units))
    ]
    return list(zip(units.texts, records, strict=True)), model


def saying(*found):
    return lambda request: {"facts": [{"text": text, "from": numbers} for text, numbers in found]}


def test_each_fact_knows_the_messages_that_it_is_from():
    found, model = facts(CHAT[:2], saying(("Ana moved on 5 May 2023.", [1]), (" Two said it. ", [2, 1, 2])))
    assert found == [("Ana moved on 5 May 2023.", ["r0"]), ("Two said it.", ["r0", "r1"])]
    (request,) = model.requests
    assert quoted_in(request, "message") == [
        "Sunday 2023-05-07 09:30, Ana (user): I moved to Lisbon last Friday",
        "Sunday 2023-05-07 09:31, Bot (assistant): How is it?",
    ]
    assert request.purpose == "memory/facts"


def test_unknown_numbers_are_ignored_and_where_none_is_left_it_is_from_all():
    found, _ = facts(CHAT[:2], saying(("a", [3, 2, -1]), ("b", [0, 99]), ("c", [])))
    assert found == [("a", ["r1"]), ("b", ["r0", "r1"]), ("c", ["r0", "r1"])]


def test_a_failed_batch_keeps_its_text_and_an_empty_one_leaves_nothing():
    def script(request):
        return failing(request) if "Lisbon" in request.messages[-1].content else {"facts": []}

    assert facts(CHAT, script)[0] == [("I moved to Lisbon last Friday\nHow is it?", ["r0", "r1"])]


@pytest.mark.parametrize("failure", ["too_long", "truncated"])
def test_a_batch_that_is_too_much_is_read_in_halves(failure):
    entries = [{"text": f"t{i}", "author": "A"} for i in range(5)]

    def script(request):
        shown = quoted_in(request, "message")
        return Reply(failure=failure) if len(shown) > 2 or "A: t3" in shown else first_word(request)

    found, model = facts(entries, script)
    assert found == [("t0", ["r0"]), ("t1", ["r1"]), ("t2", ["r2"]), ("t3", ["r3"]), ("t4", ["r4"])]
    assert model.batches == [1, 2, 2, 2]


def test_facts_without_words_are_a_failure():
    assert facts(CHAT[2:3], saying((" ", [1])))[0] == [("Warm. I pay 900 euros", ["r0"])]
    assert facts(CHAT[2:3], saying((" ", [1]), ("x", [1]), ("x", [1])))[0] == [("x", ["r0"])]


def test_no_more_than_asked_for():
    found, model = facts(CHAT[:1], saying(("a", [1]), ("b", [1]), ("c", [1])), most=2)
    assert [text for text, _ in found] == ["a", "b"]
    assert "At most 2 facts" in model.requests[0].messages[0].content


def test_blank_batches_are_not_asked_about():
    found, model = facts([{"text": "  "}, {"text": ""}], failing, batch="record")
    assert (found, model.requests) == ([], [])


@pytest.mark.parametrize(
    ("params", "sizes"),
    [({}, [2, 2]), ({"batch": "record"}, [1, 1, 1]), ({"batch": "topic", "threshold": -1}, [4])],
)
def test_what_is_read_together_is_asked_in_one_call(params, sizes):
    _, model = facts(CHAT, saying(), **params)
    assert [len(quoted_in(request, "message")) for request in model.requests] == sizes
    assert model.batches == [len(sizes)]


def test_earlier_messages_are_shown_and_never_cited():
    found, model = facts(CHAT[:3], saying(("a", [1, 2])), context=1)
    assert quoted_in(model.requests[0], "earlier") == []
    assert quoted_in(model.requests[1], "earlier") == ["Sunday 2023-05-07 09:31, Bot (assistant): How is it?"]
    assert quoted_in(model.requests[1], "message") == ["2023-06, Ana (user): Warm. I pay 900 euros"]
    assert found[1] == ("a", ["r2"])


def test_without_a_model_it_says_what_is_missing():
    with pytest.raises(UserError, match="needs a model for the role helper"):
        call("units", "facts", history_of(["a"]), Services())


def first_word(request):
    """One fact a message, from that message."""
    shown = quoted_in(request, "message")
    return {"facts": [{"text": text.rpartition(": ")[2], "from": [i + 1]} for i, text in enumerate(shown)]}


@given(
    authors=st.lists(st.sampled_from("AB"), min_size=2, max_size=16),
    at=st.integers(0, 15),
    batch=st.sampled_from(["exchange", "record", "window"]),
)
def test_a_memory_that_changes_is_read_again_only_around_the_change(authors, at, batch):
    entries = [{"id": f"m{i}", "text": f"t{i}", "author": a, "session": "s"} for i, a in enumerate(authors)]
    at %= len(entries)
    model = RememberingModel(ScriptedModel(first_word))

    def asked(changed):
        call("units", "facts", history_of(changed), Services(helper=model), batch=batch, size=200)
        return model.news()

    asked(entries)
    (new,) = asked([*entries, {"id": "m99", "text": "last", "author": "B", "session": "s"}])
    assert "last" in new.messages[-1].content
    (new,) = asked([entry | ({"text": "new"} if i == at else {}) for i, entry in enumerate(entries)])
    assert "new" in new.messages[-1].content
    assert len(asked(entries[:at] + entries[at + 1 :])) <= 1
    assert asked(entries) == []


def test_an_interrupted_run_asks_the_rest_when_it_is_done_again():
    entries = [{"text": f"t{i}", "session": f"s{i}"} for i in range(7)]
    model = RememberingModel(ScriptedModel(first_word), most=3)
    design = "storage: {units: {op: facts, batch: record}}"
    with pytest.raises(OutOfBudgetError):
        memory_of(entries, design, Services(helper=model))
    assert len(model.news()) == 3
    model.most = None
    made = memory_of(entries, design, Services(helper=model)).store(None).units
    assert len(model.news()) == 4
    assert made.texts == tuple(f"t{i}" for i in range(7))


@given(
    texts=st.lists(st.text(max_size=8), max_size=8),
    replies=st.lists(
        st.lists(st.tuples(st.text(max_size=4), st.lists(st.integers(-2, 5), max_size=3)), max_size=3), min_size=1
    ),
)
def test_whatever_a_model_replies_each_unit_has_its_sources(texts, replies):
    turn = iter(range(10**6))

    def script(request):
        return saying(*replies[next(turn) % len(replies)])(request)

    history = history_of([{"text": t, "session": "s", "author": "AB"[i % 2]} for i, t in enumerate(texts)])
    units = call("units", "facts", history, Services(helper=ScriptedModel(script)))
    assert (units.offsets[1:] > units.offsets[:-1]).all()
    assert all(text.strip() for text in units.texts)
    assert (units.ends == [len(history.texts[r]) for r in units.records]).all()
    failed = call("units", "facts", history, Services(helper=ScriptedModel(failing)))
    assert JOIN.join(failed.texts).split() == JOIN.join(t for t in history.texts if t.strip()).split()
