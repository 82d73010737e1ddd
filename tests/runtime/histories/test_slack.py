"""Slack exports: who speaks, what is said once, threads, marks, and files of any hostile shape."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import find_format, load
from designsearch.runtime.histories.slack_text import readable

USERS = [
    {"id": "U1", "name": "ana", "profile": {"real_name": "Ana", "display_name": ""}},
    {"id": "U2", "name": "bo", "deleted": True, "profile": {"display_name": "Bo B", "real_name": "Bo"}},
    {"id": "U3", "name": "cy", "profile": None},
]


def message(second, words="hello", user="U1", **more):
    return {"type": "message", "user": user, "text": words, "ts": f"17157042{second:02d}.000100", **more}


def noted(dataset):
    return {oddity.what: (oddity.count, oddity.examples) for oddity in dataset.report.oddities}


@pytest.fixture
def day(write):
    """The one history of a day file of a channel with these messages."""

    def day(*messages):
        write("export/users.json", USERS)
        write("export/general/2024-05-14.json", list(messages))
        return load("export")[0]

    return day


def test_a_message_is_a_record(day):
    dataset = day(message(0), message(1, "hi", "U2"), message(2, "ho", "U3"))
    first = dataset.events[0]
    assert (first.id, first.text, first.time, first.author, first.role, first.session, first.section) == (
        "general:1715704200.000100", "hello", "2024-05-14T16:30:00.000100Z", "Ana", "user", "general 2024-05-14",
        "general",
    )  # fmt: skip
    assert [e.author for e in dataset.events] == ["Ana", "Bo B", "cy"]
    assert dataset.report.counts == {"day files": 1, "channels": 1, "messages": 3, "events": 3}
    assert noted(dataset) == {}


@pytest.mark.parametrize(
    ("value", "author", "role"),
    [
        (message(0, user="USLACKBOT", subtype="slackbot_response"), "USLACKBOT", "bot"),
        (message(0, user="U404"), "U404", "user"),
        (message(0, user="U404", user_profile={"real_name": "Di"}), "Di", "user"),
        (message(0, user=None, subtype="bot_message", bot_id="B7"), "B7", "bot"),
        (message(0, user=None, subtype="bot_message", username="builder", bot_id="B7"), "builder", "bot"),
        (message(0, user=None, bot_id="B7", bot_profile={"name": "builder"}), "builder", "bot"),
        (message(0, user=["U1"]), "", "user"),
    ],
)
def test_a_speaker_is_a_name_or_else_an_id(day, value, author, role):
    (event,) = day(value).events
    assert (event.author, event.role) == (author, role)


def test_replies_point_to_their_thread_and_share_its_session(day):
    dataset = day(message(0), message(1, "other"), message(2, "yes", "U2", thread_ts="1715704200.000100"),
                  message(3, "lost", thread_ts="1715700000.000100"))  # fmt: skip
    assert [(e.text, e.reply_to, e.session) for e in dataset.events] == [
        ("hello", "", "general:1715704200.000100"),
        ("other", "", "general 2024-05-14"),
        ("yes", "general:1715704200.000100", "general:1715704200.000100"),
        ("lost", "general:1715700000.000100", "general:1715700000.000100"),
    ]
    assert noted(dataset) == {"replies to messages that are not there": (1, ("general:1715704203.000100",))}


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("second", [2, 3])
def test_a_reply_that_is_shown_to_the_channel_is_read_once(day, order, second):
    thread = {"thread_ts": "1715704200.000100"}
    pair = [message(2, "done", **thread), message(second, "done", subtype="thread_broadcast", **thread)]
    dataset = day(message(0), *pair[::order])
    assert [e.text for e in dataset.events] == ["hello", "done"]
    assert noted(dataset)["replies that were shown to their channel too, the copies left out"][0] == 1
    assert [e.text for e in day(message(0), pair[1]).events] == ["hello", "done"]


def test_copies_are_read_once_and_different_words_are_kept(day):
    dataset = day(message(0), message(0), message(0, "other words"))
    assert [(e.id, e.text) for e in dataset.events] == [
        ("general:1715704200.000100", "hello"), ("general:1715704200.000100~2", "other words"),
    ]  # fmt: skip
    assert noted(dataset)["messages that are there twice, the copies left out"] == (1, ("general:1715704200.000100",))


def test_what_the_program_says_is_marked_and_what_was_deleted_is_left_out(day):
    dataset = day(
        message(0, "<@U1> has joined", subtype="channel_join"),
        message(1, "kept", edited={"user": "U1", "ts": "1715704299.000000"}),
        message(2, "gone"),
        {"type": "message", "subtype": "message_deleted", "deleted_ts": "1715704202.000100", "ts": "1715704203.000100"},
        {"type": "message", "subtype": "tombstone", "text": "This message was deleted.", "ts": "1715704204.000100"},
        {
            "type": "message",
            "subtype": "message_changed",
            "ts": "1715704205.000100",
            "message": message(6, "new words"),
        },
        message(6, "old words"),
        message(7, "odd", subtype="novel"),
    )
    assert [(e.text, e.role, e.author, e.meta) for e in dataset.events] == [
        ("@Ana has joined", "system", "", {"system": "channel_join"}),
        ("kept", "user", "Ana", {"edited": "2024-05-14T16:31:39Z"}),
        ("new words", "user", "Ana", {"edited": "2024-05-14T16:30:05.000100Z"}),
        ("odd", "user", "Ana", {}),
    ]
    assert noted(dataset) == {
        "deleted messages, left out": (2, ("general:1715704203.000100", "general:1715704204.000100")),
        "messages of unknown kinds, read as usual ones": (1, ("general:1715704207.000100: novel",)),
    }


def test_files_and_reactions(day):
    dataset = day(
        message(0, "see", files=[{"id": "F1", "mode": "tombstone"}, None], reactions=[{"users": ["U9", "U1"]}, 7]),
        message(1, "", files=[{"title": "figs.png", "mimetype": "image/png"}, {"name": "plan.pdf"}]),
        message(2, ""),
    )
    assert [(e.text, e.meta) for e in dataset.events] == [
        ("see", {"files": ["F1"]}),
        ("[image: figs.png] [file: plan.pdf]", {"files": ["figs.png", "plan.pdf"]}),
    ]
    assert dataset.report.counts["reactions passed over"] == 3
    assert noted(dataset) == {
        "files that are no longer there": (1, ("general:1715704200.000100: F1",)),
        "messages without words, left out": (1, ("general:1715704202.000100",)),
    }


def test_a_bot_may_say_it_in_boxes(day):
    boxes = [{"title": "Build 7", "text": "passed"}, {"fallback": "see log"}, None]
    (event,) = day(message(0, "", user=None, bot_id="B7", attachments=boxes)).events
    assert event.text == "Build 7\npassed\nsee log"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("hi <@U1>", "hi @Ana"), ("hi <@U404>", "hi @U404"), ("hi <@U404|di>", "hi @di"), ("<@U1|old>", "@Ana"),
        ("in <#C1|general>", "in #general"), ("in <#C1>", "in #general"), ("in <#C1|>", "in #general"),
        ("<#C9>", "#C9"),
        ("<!here> <!subteam^S1|@cooks> <!subteam^S2>", "@here @cooks @S2"),
        ("<!date^1715704200^{date}|14 May>", "14 May"), ("<http://x.org/a?b=1&amp;c=2>", "http://x.org/a?b=1&c=2"),
        ("<http://x.org|the plan>", "the plan (http://x.org)"), ("<http://x.org|x.org>", "http://x.org"),
        ("<mailto:a@x.org|a@x.org>", "a@x.org"), ("a &amp;&lt;b&gt; &amp;lt;", "a &<b> &lt;"),
        ("<@> <> <odd>", "<@> <> <odd>"), ("{{ x }} <b", "{{ x }} <b"),
    ],
)  # fmt: skip
def test_marks_are_shown_as_people_see_them(raw, shown):
    assert readable(raw, {"U1": "Ana"}, {"C1": "general"}) == shown


def files():
    return {
        "users.json": USERS,
        "channels.json": [{"id": "C1", "name": "general"}],
        "dms.json": [{"id": "D1", "members": ["U1", "U2", "U404"]}],
        "general/2024-05-14.json": [message(5, "in <#C1>")],
        "general/2024-05-15.json": [],
        "D1/2024-05-14.json": [message(1, "psst")],
        "canvases.json": [],
    }


def test_an_archive_reads_like_its_folder(write):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files().items():
            write(f"export/{name}", json.dumps(content))
            archive.writestr(name, json.dumps(content))
    write("export.zip", buffer.getvalue())
    assert find_format(write("x.zip", buffer.getvalue())).name == "slack"
    (folder,), (zipped,) = load("export"), load("export.zip")
    assert folder.events == zipped.events
    assert [(e.id, e.text, e.section) for e in folder.events] == [
        ("D1:1715704201.000100", "psst", "Ana, Bo B, U404"), ("general:1715704205.000100", "in #general", "general"),
    ]  # fmt: skip
    assert noted(folder) == {"files that hold no messages, left out": (1, ("canvases.json",))}


def test_a_single_file_finds_its_people_beside_it_or_above(write):
    write("export/users.json", USERS)
    write("export/general/2024-05-14.json", [message(0)])
    assert [(e.id, e.author) for e in load("export/general/2024-05-14.json")[0].events] == [
        ("general:1715704200.000100", "Ana")
    ]
    write("here/a_day.json", [message(0)])
    write("here/a_users.json", USERS)
    write("here/b_users.json", [{"id": "U1", "name": "other"}])
    assert find_format(write("here/a_day.json", [message(0)])).name == "slack"
    assert [(e.id, e.author) for e in load("here/a_day.json")[0].events] == [("a_day:1715704200.000100", "Ana")]


def test_a_file_beside_it_that_is_about_something_else_does_not_matter(write):
    write("a_day.json", [message(0)])
    write("a_users.json", "not JSON")
    assert load("a_day.json")[0].events[0].author == "U1"


def test_a_broken_file_about_people_in_an_export_is_named(write):
    write("export/users.json", '[{"id": "U1",]')
    write("export/general/2024-05-14.json", [message(0)])
    with pytest.raises(UserError, match=r"export.users\.json:1:14: not JSON"):
        load("export")


def test_without_people_ids_stand_for_them(write):
    write("day.json", [message(0, "hi <@U1>")])
    (dataset,) = load("day.json")
    assert [(e.author, e.text) for e in dataset.events] == [("U1", "hi @U1")]
    assert noted(dataset)["no users.json: people are named by their ids"] == (1, ())


@pytest.mark.parametrize(
    ("golden_name", "content"),
    [("slack_nothing", []), ("slack_other_json", {"a": 1}), ("slack_only_joins", [message(0, subtype="channel_join")])],
)
def test_a_source_without_messages_is_refused(write, golden, golden_name, content):
    write("day.json", content)
    with pytest.raises(UserError) as caught:
        load("day.json", format="slack")
    golden(golden_name, str(caught.value))


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
STAMPS = st.sampled_from(["1715704200.000100", "1715704201.000100", 1715704200.0001]) | JUNK
KINDS = (
    st.sampled_from(["thread_broadcast", "message_changed", "message_deleted", "bot_message", "channel_join"]) | JUNK
)
TEXTS = st.sampled_from(["hi", "<@U1>", "<@", "<http://x|>", "<|>", "&amp;", "<!|x>", "<#|>"]) | JUNK
MESSAGE = JUNK | st.fixed_dictionaries(
    {"ts": STAMPS},
    optional={
        "text": TEXTS, "user": st.just("U1") | JUNK, "subtype": KINDS, "thread_ts": STAMPS, "bot_id": JUNK,
        "bot_profile": JUNK, "user_profile": JUNK, "files": JUNK | st.lists(JUNK), "reactions": JUNK, "edited": JUNK,
        "deleted_ts": STAMPS, "attachments": JUNK,
        "message": JUNK | st.fixed_dictionaries({"ts": STAMPS, "text": TEXTS}),
    },
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=250, deadline=None)
@given(JUNK | st.lists(MESSAGE, max_size=5), JUNK | st.lists(st.fixed_dictionaries({"id": JUNK, "profile": JUNK})))
def test_any_json_is_read_or_refused_with_a_word(write, content, users):
    write("users.json", json.dumps(users))
    path = write("day.json", json.dumps(content))
    find_format(path, "slack").recognises(path)
    try:
        (dataset,) = load("day.json", format="slack")
    except UserError:
        return
    assert len(dataset.history()) == len(dataset.events) > 0
    assert not dataset.log.report.oddities
