"""Claude exports: what is speech and what is not, attachments, and files of any hostile shape."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import find_format, load

TIME = "2024-05-14T16:30:00.250000Z"


def message(own_id, sender="human", content="I keep bees.", **more):
    return {"uuid": own_id, "sender": sender, "text": "", "content": content, "created_at": TIME, **more}


def conversation(*messages, **more):
    return {"uuid": "c1", "name": "Bees", "created_at": TIME, "chat_messages": list(messages), **more}


def noted(dataset):
    return {oddity.what: (oddity.count, oddity.examples) for oddity in dataset.report.oddities}


def text(words):
    return {"type": "text", "text": words}


@pytest.mark.parametrize("wrap", [lambda talk: [talk], lambda talk: talk])
def test_an_array_and_a_single_conversation_read_the_same(write, wrap):
    path = write("conversations.json", wrap(conversation(message("x"), message("y", "assistant", [text("How many?")]))))
    assert find_format(path).name == "claude"
    (dataset,) = load(path)
    assert [(e.id, e.text, e.time, e.role, e.author, e.session, e.section, e.reply_to) for e in dataset.events] == [
        ("x", "I keep bees.", TIME, "user", "user", "c1", "Bees", ""),
        ("y", "How many?", TIME, "assistant", "assistant", "c1", "Bees", "x"),
    ]
    assert dataset.report.counts == {
        "JSON files": 1, "conversations": 1, "user messages": 1, "assistant messages": 1, "events": 2,
    }  # fmt: skip
    assert noted(dataset) == {}


@pytest.mark.parametrize(
    "fields",
    [
        {"content": "I keep bees."},
        {"content": [text("I keep bees.")]},
        {"content": text("I keep bees.")},
        {"content": ["I keep bees."]},
        {"content": [], "text": "I keep bees."},
        {"content": None, "text": "I keep bees."},
        {"content": [{"type": "novel"}, text("I keep bees."), {"type": "tool_result", "content": [text("exit 0")]}]},
    ],
)
def test_a_text_is_the_same_in_every_form(write, fields):
    write("c.json", [conversation(message("x") | fields)])
    assert load("c.json")[0].history().texts == ("I keep bees.",)


def test_blocks_that_are_no_speech_are_counted(write):
    write(
        "c.json",
        [
            conversation(
                message("x", content=[text("one"), {"type": "novel"}, text("two"), {"type": "image"}]),
                message(
                    "y", "assistant",
                    [{"type": "thinking", "thinking": "hm"}, text("Three"), {"type": "tool_use", "input": {}}],
                    text="This block is not supported.",
                ),
                message("z", content=[{"type": "tool_result", "content": "exit code 0"}], text="exit code 0"),
                message("w", "system", "be kind"),
            )
        ],
    )  # fmt: skip
    (dataset,) = load("c.json")
    assert [(e.id, e.text) for e in dataset.events] == [("x", "one\n\ntwo [image]"), ("y", "Three")]
    assert noted(dataset) == {
        "blocks of unknown types, left out": (1, ("x: novel",)),
        "blocks that are nobody's speech (thinking), left out": (1, ("y",)),
        "blocks that are nobody's speech (tool_use), left out": (1, ("y",)),
        "blocks that are nobody's speech (tool_result), left out": (1, ("z",)),
        "messages without words, left out": (1, ("z",)),
        "messages of neither the person nor the assistant, left out": (1, ("w: system",)),
    }


def test_attached_text_is_a_record_that_names_its_message(write):
    files = {
        "attachments": [{"file_name": "hives.txt", "extracted_content": "Two hives."}, {"file_name": "map.pdf"}],
        "files": [{"file_name": "hives.txt"}, {"file_name": "bee.png", "file_kind": "image"}, 7],
    }
    write("c.json", [conversation(message("x", **files), message("y", content="", **files))])
    (dataset,) = load("c.json")
    first, hives, second, again = dataset.events
    assert (first.text, first.meta) == ("I keep bees.", {"files": ["hives.txt", "map.pdf", "bee.png"]})
    assert (hives.id, hives.text, hives.source, hives.refs, hives.section, hives.time, hives.session) == (
        "x/hives.txt", "Two hives.", "attachment", ("x",), "hives.txt", TIME, "c1",
    )  # fmt: skip
    assert second.text == "[file: hives.txt] [file: map.pdf] [image: bee.png]"
    assert (again.refs, second.reply_to) == (("y",), "x")
    assert dataset.report.counts["attached texts"] == 2
    assert noted(dataset)["attached files without text, named in their message"] == (
        4, ("x: map.pdf", "x: bee.png", "y: map.pdf", "y: bee.png"),
    )  # fmt: skip


def test_only_the_branch_of_the_current_leaf_is_read(write):
    talk = conversation(
        message("x"),
        message("y", "assistant", "old", parent_message_uuid="x"),
        message("z", "assistant", "new", parent_message_uuid="x"),
        current_leaf_message_uuid="z",
    )
    write("c.json", [talk])
    (dataset,) = load("c.json")
    assert [(e.id, e.reply_to) for e in dataset.events] == [("x", ""), ("z", "x")]
    assert noted(dataset) == {"messages on other branches, left out": (1, ("Bees",))}


def test_what_is_missing_costs_nothing_but_itself(write):
    write("c.json", [{"chat_messages": [{"sender": "human", "text": "Hello"}, "junk", {}]}, {"chat_messages": None}])
    (dataset,) = load("c.json")
    (event,) = dataset.events
    assert (event.text, event.time, event.section, event.id) == ("Hello", None, "", f"{event.session}:1")
    assert noted(dataset)["messages that are no objects, left out"][0] == 1
    assert noted(dataset)["conversations without a message that was read"][0] == 1


def test_the_zip_of_an_export_is_read(write):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("data/conversations.json", json.dumps([conversation(message("x"))]))
        archive.writestr("data/users.json", "[]")
    path = write("data.zip", buffer.getvalue())
    assert find_format(path).name == "claude"
    (dataset,) = load(path)
    assert [e.text for e in dataset.events] == ["I keep bees."]
    assert noted(dataset) == {"files that hold no conversations, left out": (1, ("data/users.json",))}


def test_a_long_summary_before_the_messages_does_not_hide_them(write):
    talk = {"uuid": "c1", "summary": 'says "mapping": {} ' * 1000, "chat_messages": [message("x")]}
    assert find_format(write("c.json", [None, talk])).name == "claude"


@pytest.mark.parametrize(
    ("golden_name", "content"), [("claude_empty_array", []), ("claude_of_another_product", [{"mapping": {}}])]
)
def test_a_source_without_messages_is_refused(write, golden, golden_name, content):
    write("c.json", content)
    with pytest.raises(UserError) as caught:
        load("c.json", format="claude")
    golden(golden_name, str(caught.value))


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
FILE = JUNK | st.fixed_dictionaries({}, optional={"file_name": JUNK, "extracted_content": JUNK, "file_kind": JUNK})
MESSAGE = JUNK | st.fixed_dictionaries(
    {"sender": st.sampled_from(["human", "assistant"]) | JUNK},
    optional={
        "uuid": st.sampled_from("xy") | JUNK,
        "text": JUNK,
        "content": JUNK
        | st.lists(JUNK | st.fixed_dictionaries({}, optional={"type": st.just("text") | JUNK, "text": JUNK})),
        "created_at": JUNK,
        "attachments": JUNK | st.lists(FILE, max_size=2),
        "files": JUNK | st.lists(FILE, max_size=2),
        "parent_message_uuid": st.sampled_from("xy") | JUNK,
    },
)
TALK = JUNK | st.fixed_dictionaries(
    {"chat_messages": JUNK | st.lists(MESSAGE, max_size=4)},
    optional={"uuid": JUNK, "name": JUNK, "current_leaf_message_uuid": st.sampled_from("xy") | JUNK},
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200, deadline=None)
@given(JUNK | st.lists(TALK, max_size=3))
def test_any_json_is_read_or_refused_with_a_word(write, content):
    path = write("c.json", json.dumps(content))
    find_format(path, "claude").recognises(path)
    try:
        (dataset,) = load("c.json", format="claude")
    except UserError:
        return
    assert len(dataset.history()) == len(dataset.events) > 0
    assert not dataset.log.report.oddities
