"""WhatsApp chats: the same chat in many locales, who says what, and what nobody said."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import find_format, load

CHATS = {
    "android_us": "5/14/24, 7:02\u202fPM - Messages are private.\n5/14/24, 7:03\u202fPM - Ana: First\nsecond\n"
    "5/14/24, 7:05\u202fPM - Bo: <Media omitted>\n5/15/24, 12:01\u202fAM - Bo: good night\n",
    "android_es": "14/5/2024, 7:02\xa0p.\xa0m. - Es privado.\n14/5/2024, 7:03\xa0p.\xa0m. - Ana: First\nsecond\n"
    "14/5/2024, 7:05\xa0p.\xa0m. - Bo: <Multimedia omitido>\n15/5/2024, 12:01\xa0a.\xa0m. - Bo: good night\n",
    "iphone_de": "\u200e[14.05.24, 19:02:10] Trip: \u200eMessages are private.\r\n[14.05.24, 19:03:11] Ana: First\r\n"
    "second\r\n\u200e[14.05.24, 19:05:00] Bo: \u200eBild weggelassen\r\n[15.05.24, 00:01:30] Bo: good night\r\n",
    "android_de": "14.05.24, 19:02 - Alles privat.\n14.05.24, 19:03 - Ana: First\nsecond\n"
    "14.05.24, 19:05 - Bo: <Medien ausgeschlossen>\n15.05.24, 00:01 - Bo: good night\n",
    "android_ar": "١٤\u200f/٥\u200f/٢٠٢٤، ٧:٠٢ م - خاص\n١٤\u200f/٥\u200f/٢٠٢٤، ٧:٠٣ م - Ana: First\nsecond\n"
    "١٤\u200f/٥\u200f/٢٠٢٤، ٧:٠٥ م - Bo: <تم استبعاد الوسائط>\n١٥\u200f/٥\u200f/٢٠٢٤، ١٢:٠١ ص - Bo: good night\n",
    "iphone_zh": "[2024/5/14 下午7:02:10] Trip: \u200e私密\n[2024/5/14 下午7:03:11] \u202aAna\u202c: First\nsecond\n"
    "[2024/5/14 下午7:05:00] Bo: \u200e忽略圖片\n[2024/5/15 上午12:01:30] Bo: good night\n",
    "iso": "2024-05-14, 19:02 - Private.\n2024-05-14, 19:03 - Ana: First\nsecond\n"
    "2024-05-14, 19:05 - Bo: <Media weggelaten>\n2024-05-15, 00:01 - Bo: good night\n",
}  # fmt: skip


def noted(dataset):
    return {oddity.what: (oddity.count, oddity.examples) for oddity in dataset.report.oddities}


def said(dataset):
    return [(e.author, e.text) for e in dataset.events]


@pytest.mark.parametrize("name", CHATS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_same_chat_reads_the_same_in_every_locale(write, name, encoding):
    path = write(f"{name}.txt", CHATS[name].encode(encoding))
    assert find_format(path).name == "whatsapp"
    (dataset,) = load(path)
    line, first, media, last = dataset.events
    assert [(e.author, e.time[:16], e.text, e.role) for e in (first, media, last)] == [
        ("Ana", "2024-05-14T19:03", "First\nsecond", "user"),
        ("Bo", "2024-05-14T19:05", "[media]", "user"),
        ("Bo", "2024-05-15T00:01", "good night", "user"),
    ]
    assert (line.author, line.role, line.time[:16], line.meta["system"]) == ("", "system", "2024-05-14T19:02", True)
    assert media.meta["media"]
    assert (first.session, last.session, first.section) == (f"{name} 2024-05-14", f"{name} 2024-05-15", name)
    assert noted(dataset) == {}
    assert dataset.report.counts == {
        "chats": 1, "lines of the program": 1, "messages": 3, "messages with media": 1, "events": 4,
    }  # fmt: skip


def test_ids_stay_when_the_chat_grows(write):
    write("a.txt", CHATS["iso"] + "2024-05-15, 00:02 - Bo: ok\n2024-05-15, 00:02 - Bo: ok\n")
    (dataset,) = load("a.txt")
    write("a.txt", CHATS["iso"])
    assert [e.id for e in load("a.txt")[0].events] == [e.id for e in dataset.events][:4]
    assert dataset.events[-1].id == f"{dataset.events[-2].id}~2"
    assert not dataset.log.report.oddities


def chat(*lines):
    return "".join(f"14.05.24, 19:{n:02d} - {line}\n" for n, line in enumerate(lines))


def test_names_may_hold_colons_and_numbers(write):
    write(
        "a.txt",
        chat(
            "Re: Berlin: hello", "Re: Berlin: so: here", "\u202a+49 151 2345\u202c: plain", "~\u202fBo: note: one",
            "Bo: two", "Nick:name: x", 'Bo changed the subject to "Trip: Rome"', "Bo:",
        ),
    )  # fmt: skip
    (dataset,) = load("a.txt")
    assert said(dataset) == [
        ("Re: Berlin", "hello"), ("Re: Berlin", "so: here"), ("+49 151 2345", "plain"), ("Bo", "note: one"),
        ("Bo", "two"), ("Nick:name", "x"), ("", 'Bo changed the subject to "Trip: Rome"'),
    ]  # fmt: skip
    assert noted(dataset) == {
        "senders taken to have a colon in their name": (1, ("Re: Berlin",)),
        "messages without words, left out": (1, ("2024-05-14T19:07",)),
    }


@pytest.mark.parametrize(
    ("line", "text", "meta"),
    [
        ("IMG-20240514-WA0001.jpg (file attached)\nFigs", "Figs [media]", "IMG-20240514-WA0001.jpg (file attached)"),
        ("\u200e<adjunto: 1-AUDIO.opus>", "[media]", "<adjunto: 1-AUDIO.opus>"),
        ("map.pdf • \u200e3 pages \u200edocument omitted", "[media]", "map.pdf • 3 pages document omitted"),
        ("sticker omitted", "[media]", "sticker omitted"),
        ("<Без медиафайлов>", "[media]", "<Без медиафайлов>"),
    ],
)  # fmt: skip
def test_what_stands_for_media_is_marked(write, line, text, meta):
    write("a.txt", chat("Ana: hi", f"Bo: {line}"))
    event = load("a.txt")[0].events[1]
    assert (event.author, event.text, event.meta) == ("Bo", text, {"media": meta})


@pytest.mark.parametrize(
    "words",
    ["<3 you", "I left <b>omit</b> in", "the image was omitted by mistake, sorry", "  indented", "a: b: c", "x - y"],
)
def test_words_stay_as_they_were_written(write, words):
    write("a.txt", chat("Ana: hi", f"Bo: {words}", "Ana: bye"))
    event = load("a.txt")[0].events[1]
    assert (event.author, event.text, event.meta) == ("Bo", words, {})


def test_edited_and_deleted_messages_are_marked(write):
    write("a.txt", chat("Ana: hi <This message was edited>", "Bo: This message was deleted", "Bo: ok"))
    (dataset,) = load("a.txt")
    assert [(e.author, e.text, e.meta) for e in dataset.events] == [
        ("Ana", "hi", {"edited": True}),
        ("", "This message was deleted", {"system": True, "label": "Bo"}),
        ("Bo", "ok", {}),
    ]


def test_a_chat_pasted_into_a_message_is_part_of_it(write):
    write("a.txt", chat("Ana: look:\n[13.05.24, 10:00:00] Bo: hi", "Bo: ha"))
    assert said(load("a.txt")[0]) == [("Ana", "look:\n[13.05.24, 10:00:00] Bo: hi"), ("Bo", "ha")]


def test_places_and_polls_are_what_people_send(write):
    lines = "[14.05.24, 19:03:11] Ana: \u200ePOLL:\nFigs?\n\u200eOPTION: yes\n[14.05.24, 19:04:11] Bo: \u200eAt https://example.org"
    write("a.txt", lines)
    assert [e.author for e in load("a.txt")[0].events] == ["Ana", "Bo"]


def test_the_zip_and_the_folder_of_a_chat_read_the_same(write):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("_chat.txt", CHATS["iphone_de"])
        archive.writestr("00000012-PHOTO.jpg", b"\xff\xd8")
    write("Trip.zip", buffer.getvalue())
    write("Trip/_chat.txt", CHATS["iphone_de"])
    write("Trip/00000012-PHOTO.jpg", b"\xff\xd8")
    (zipped,), (folder,) = load("Trip.zip"), load("Trip")
    assert zipped.events == folder.events
    assert {e.section for e in zipped.events} == {"Trip"}
    assert noted(zipped) == {"files that are no chat, left out": (1, ("00000012-PHOTO.jpg",))}


@pytest.mark.parametrize(
    ("golden_name", "content"),
    [
        ("whatsapp_no_chat", "Dear Bo,\nthe figs are ripe.\n"),
        ("whatsapp_only_lines_of_the_program", "14.05.24, 19:02 - Alles privat.\n"),
        ("whatsapp_empty", "\ufeff\n"),
    ],
)
def test_a_text_without_messages_is_refused(write, golden, golden_name, content):
    write("a.txt", content)
    with pytest.raises(UserError) as caught:
        load("a.txt", format="whatsapp")
    golden(golden_name, str(caught.value))


def test_what_is_no_chat_is_not_taken_for_one(write):
    recognises = find_format(write("a.txt", "x"), "whatsapp").recognises
    assert not recognises(write("a.txt", "2024-05-14 19:02 - planted figs\n2024-05-15 09:00 - watered them\n"))
    assert not recognises(write("a.txt", "On 14.05.24, 19:02 - Ana: hi\n"))
    assert not recognises(write("a.md", CHATS["iso"]))


def test_bytes_that_are_no_text_are_named(write):
    write("a.txt", CHATS["iso"].encode() + b"\xff")
    with pytest.raises(UserError, match=r"a\.txt:6: byte 0xff is not UTF-8"):
        load("a.txt", format="whatsapp")


PIECES = st.sampled_from(
    ["14.05.24, 19:02 - ", "[5/14/24, 7:02:01 PM] ", "99/99/9999, 99:99 - ", "Ana: ", "Bo", ": ", "\u200e", "\u202f",
     "\n", "\r\n", "<Media omitted>", "<", ">", "image omitted", '"', "~", "٣/٣/٢٠٢٤، ٣:٠٣ ص - ", "\x00"]
) | st.text(max_size=5)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=25).map("".join))
def test_any_text_is_read_or_refused_with_a_word(write, content):
    path = write("a.txt", content.encode("utf-8", "replace"))
    find_format(path, "whatsapp").recognises(path)
    try:
        (dataset,) = load("a.txt", format="whatsapp")
    except UserError:
        return
    assert any(event.author for event in dataset.events)
    assert len({event.id for event in dataset.events}) == len(dataset.events)
    assert not dataset.log.report.oddities


@pytest.mark.parametrize(
    "piece",
    ["\u200e", " ", "<", "<omit", "14.05.24, 19:02 - ", ": ", "a: ", "\u200eomit", "image ", "1.", "\u200f<x: a.b"],
)
def test_a_line_of_any_length_takes_no_longer_than_its_length(write, piece):
    write("a.txt", chat("Ana: hi", f"Bo: {piece * 50_000}", piece * 50_000) + piece * 50_000)
    assert load("a.txt", format="whatsapp")[0].events[0].text == "hi"
