"""ChatGPT exports: the branch that is seen, what is left out and counted, and files of any hostile shape."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import find_format, load

PICTURE = {"content_type": "image_asset_pointer"}
STAMP = 1715704200.5
TIME = "2024-05-14T16:30:00.500000Z"


def message(key, role="user", words="Hello", **more):
    content = {"content_type": "text", "parts": [words]}
    return {"id": key, "author": {"role": role}, "create_time": STAMP, "content": content, "recipient": "all", **more}


def conversation(*messages, **more):
    """A conversation in which each message answers the one before it."""
    nodes, parent = {"root": {"id": "root", "message": None, "parent": None}}, "root"
    for one in messages:
        nodes[one["id"]] = {"id": one["id"], "message": one, "parent": parent}
        parent = one["id"]
    return {"title": "Figs", "create_time": STAMP, "mapping": nodes, "current_node": parent, **more}


def noted(dataset):
    return {oddity.what: (oddity.count, oddity.examples) for oddity in dataset.report.oddities}


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content if isinstance(content, str | bytes) else json.dumps(content))
    return buffer.getvalue()


TALK = conversation(message("a", words="Which figs are sweet?"), message("b", "assistant", "Ripe ones."), id="c1")


@pytest.mark.parametrize("content", [[TALK], TALK])
def test_an_array_and_a_single_conversation_read_the_same(write, content):
    write("conversations.json", content)
    assert find_format(write("conversations.json", content)).name == "chatgpt"
    (dataset,) = load("conversations.json")
    assert [(e.id, e.text, e.time, e.role, e.author, e.session, e.section, e.reply_to) for e in dataset.events] == [
        ("a", "Which figs are sweet?", TIME, "user", "user", "c1", "Figs", ""),
        ("b", "Ripe ones.", TIME, "assistant", "assistant", "c1", "Figs", "a"),
    ]
    assert dataset.report.counts == {
        "JSON files": 1, "conversations": 1, "user messages": 1, "assistant messages": 1, "events": 2,
    }  # fmt: skip
    assert noted(dataset) == {}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_files_with_a_byte_order_mark_are_read(write, encoding):
    write("export.json", json.dumps([conversation(message("a", words="figs 🎉"))], ensure_ascii=False).encode(encoding))
    assert load("export.json")[0].events[0].text == "figs 🎉"


def test_only_the_branch_of_the_current_node_is_read(write):
    talk = conversation(message("a"), message("b", "assistant", "old"), message("b2", "assistant", "new"))
    talk["mapping"]["b2"]["parent"] = "a"
    write("c.json", [talk])
    (dataset,) = load("c.json")
    assert [(e.id, e.text, e.reply_to) for e in dataset.events] == [("a", "Hello", ""), ("b2", "new", "a")]
    assert noted(dataset) == {"messages on other branches, left out": (1, ("Figs",))}


def test_without_a_current_node_the_last_branch_is_read(write):
    talk = conversation(message("a"), message("b", "assistant", "old"), message("b2", "assistant", "new"))
    talk["mapping"]["b2"]["parent"] = "a"
    write("c.json", [talk | {"current_node": "nowhere"}])
    (dataset,) = load("c.json")
    assert [e.id for e in dataset.events] == ["a", "b2"]
    assert noted(dataset)["conversations without a current node, the last branch taken"] == (1, ("Figs",))


def test_what_is_no_talk_between_person_and_assistant_is_counted(write):
    write(
        "c.json",
        [
            conversation(
                message("s", "system", ""),
                message("h", "user", "profile", metadata={"is_visually_hidden_from_conversation": True}),
                message("a"),
                message("t", "assistant", "search(figs)", recipient="browser"),
                message("r", "tool", "ten results"),
                message("m", "assistant", content={"content_type": "thoughts", "thoughts": []}),
                message("b", "assistant", "Ripe ones.", metadata={"model_slug": "m-1"}),
            )
        ],
    )
    (dataset,) = load("c.json")
    assert [(e.id, e.reply_to, e.meta) for e in dataset.events] == [("a", "", {}), ("b", "a", {"model": "m-1"})]
    assert noted(dataset) == {
        "messages of the system, left out": (1, ("Figs",)),
        "hidden messages, left out": (1, ("h",)),
        "messages of the assistant to a tool, left out": (1, ("browser",)),
        "messages of the tool, left out": (1, ("Figs",)),
        "messages that are nobody's speech (thoughts), left out": (1, ("m",)),
        "messages without words, left out": (1, ("m",)),
    }


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"content_type": "text", "parts": ["one", "", "two"]}, "one\ntwo"),
        ({"content_type": "code", "language": "python", "text": "print(1)"}, "print(1)"),
        (
            {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}, "Look"]},
            "Look [image]",
        ),
        (
            {
                "content_type": "multimodal_text",
                "parts": [PICTURE | {"metadata": {"dalle": {"prompt": "a fig"}}}],
            },
            "[image: a fig]",
        ),
        (
            {
                "content_type": "multimodal_text",
                "parts": [
                    {"content_type": "audio_transcription", "text": "said aloud"},
                    {"content_type": "audio_asset_pointer"},
                    {"content_type": "novel"},
                    7,
                ],
            },
            "said aloud",
        ),
        ({"parts": ["no type"]}, "no type"),
        ("plain", "plain"),
    ],
)
def test_what_a_message_says(write, content, text):
    write("c.json", [conversation(message("a", content=content))])
    assert load("c.json")[0].history().texts == (text,)


def test_parts_that_are_not_known_are_counted(write):
    content = {"content_type": "multimodal_text", "parts": ["x", {"content_type": "novel"}, 7]}
    write("c.json", [conversation(message("a", content=content))])
    assert noted(load("c.json")[0]) == {
        "parts of messages of unknown types, left out": (2, ("a: novel", "a: no type")),
    }


def test_fields_that_are_missing_cost_nothing_but_themselves(write):
    talk = conversation(
        message("a", metadata=None),
        message("b", "assistant", "Hi", create_time=None),
        message("c", "assistant", content={"content_type": "text"}),
        message("d", content=None, create_time=float("nan")),
        message("e", words="late", create_time=float("nan")),
    )
    del talk["mapping"]["a"]["message"]["recipient"]
    write("c.json", [talk | {"title": None}])
    (dataset,) = load("c.json")
    assert [(e.id, e.time, e.section) for e in dataset.events] == [("a", TIME, ""), ("b", None, ""), ("e", None, "")]
    assert noted(dataset)["messages without a time, left unknown"] == (1, ("b",))
    assert noted(dataset)["times that cannot be read, taken as unknown"][0] == 1
    assert noted(dataset)["messages without words, left out"] == (2, ("c", "d"))


def test_ids_that_conversations_share_are_made_unique_and_replies_follow(write):
    other = conversation(message("a", words="Is oak heavy?"), message("b", "assistant", "Yes."), title="Desk")
    write("c.json", [conversation(message("a"), message("b", "assistant", "Hi")), other])
    (dataset,) = load("c.json")
    assert [(e.id, e.reply_to) for e in dataset.events] == [("a", ""), ("b", "a"), ("a~2", ""), ("b~2", "a~2")]
    assert len({e.session for e in dataset.events}) == 2


PARTS = {
    "conversations-000.json": [conversation(message("b", words="later", create_time=STAMP + 60), id="c2")],
    "conversations-001.json": [conversation(message("a", words="earlier"), id="c1"), TALK],
    "user.json": {"id": "u"},
    "chat.html": "<html></html>",
}


def test_a_folder_of_parts_is_one_history_in_order_of_time(write):
    for name, content in PARTS.items():
        write(f"export/{name}", content)
    (dataset,) = load("export")
    assert dataset.name == "export"
    assert [e.text for e in dataset.events] == ["earlier", "Which figs are sweet?", "Ripe ones.", "later"]
    assert dataset.report.counts["conversations"] == 3
    assert noted(dataset)["files that hold no conversations, left out"] == (2, ("chat.html", "user.json"))


def test_a_zip_reads_like_its_folder(write):
    write("export.zip", zipped(PARTS | {"../outside.json": "[]", "__MACOSX/._conversations.json": "junk"}))
    (dataset,) = load("export.zip")
    assert [e.text for e in dataset.events] == ["earlier", "Which figs are sweet?", "Ripe ones.", "later"]
    assert noted(dataset)["members of the archive whose name leads out of it, left out"][0] == 1


def test_the_same_conversation_in_two_files_is_read_once(write):
    longer = conversation(
        message("a", words="Which figs are sweet?"),
        message("b", "assistant", "Ripe ones."),
        message("c", words="Thanks"),
        id="c1",
    )
    write("export/conversations-000.json", [TALK])
    write("export/conversations-001.json", [longer])
    (dataset,) = load("export")
    assert [(e.id, e.reply_to) for e in dataset.events] == [("a", ""), ("b", "a"), ("c", "b")]
    assert noted(dataset) == {"messages that are there twice, the copies left out": (2, ())}


def test_parents_in_a_circle_end(write):
    talk = conversation(message("a"), message("b", "assistant", "Hi"))
    talk["mapping"]["a"]["parent"] = "b"
    write("c.json", [talk])
    (dataset,) = load("c.json")
    assert [e.id for e in dataset.events] == ["a", "b"]
    assert noted(dataset) == {"parent links that go round in circles, cut": (1, ("Figs",))}


@pytest.mark.parametrize(
    ("golden_name", "content"),
    [
        ("chatgpt_empty_array", []),
        ("chatgpt_other_json", {"a": 1, "b": [2]}),
        ("chatgpt_no_words", [conversation(message("a", words="")), None, conversation()]),
    ],
)
def test_a_source_without_messages_is_refused(write, golden, golden_name, content):
    write("c.json", content)
    with pytest.raises(UserError) as caught:
        load("c.json", format="chatgpt")
    golden(golden_name, str(caught.value))


def test_broken_json_is_named_with_its_place(write):
    write("export.zip", zipped({"conversations.json": '[{"mapping": {}},\n oops]'}))
    with pytest.raises(UserError, match=r"export\.zip.conversations\.json:2:2: not JSON"):
        load("export.zip")


def test_archives_that_swell_or_are_broken_are_refused(write, golden):
    write("bomb.zip", zipped({"conversations.json": b'[{"mapping": {' + b" " * 40_000_000}))
    with pytest.raises(UserError) as caught:
        load("bomb.zip", format="chatgpt")
    assert "would take 40,000,014 bytes" in str(caught.value)
    write("broken.zip", b"PK\x03\x04 and no more")
    with pytest.raises(UserError) as caught:
        load("broken.zip", format="chatgpt")
    golden("broken_zip", str(caught.value))


def test_deep_nesting_is_a_clear_error(write):
    write("c.json", '[{"mapping": ' + '{"a":' * 100_000)
    with pytest.raises(UserError, match="nested too deeply"):
        load("c.json", format="chatgpt")


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
NODE = st.fixed_dictionaries(
    {},
    optional={
        "parent": st.sampled_from(["a", "b", "root", None, "zz"]) | JUNK,
        "message": JUNK
        | st.fixed_dictionaries(
            {},
            optional={
                "id": JUNK,
                "author": st.just({"role": "user"}) | JUNK,
                "create_time": JUNK,
                "content": st.fixed_dictionaries({}, optional={"content_type": JUNK, "parts": JUNK}) | JUNK,
                "metadata": JUNK,
                "recipient": JUNK,
            },
        ),
    },
)
TALKS = st.fixed_dictionaries(
    {"mapping": st.dictionaries(st.sampled_from("abc"), NODE | JUNK, max_size=3) | JUNK},
    optional={"title": JUNK, "current_node": st.sampled_from("abc") | JUNK, "id": JUNK, "create_time": JUNK},
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200, deadline=None)
@given(st.lists(TALKS | JUNK, max_size=4) | JUNK)
def test_any_json_is_read_or_refused_with_a_word(write, content):
    path = write("c.json", json.dumps(content))
    find_format(path, "chatgpt").recognises(path)
    try:
        (dataset,) = load("c.json", format="chatgpt")
    except UserError:
        return
    assert len(dataset.history()) == len(dataset.events) > 0
    assert len({event.id for event in dataset.events}) == len(dataset.events)
    assert not dataset.log.report.oddities
