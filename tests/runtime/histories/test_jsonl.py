"""Histories of JSON lines: what is read, what is reported, what is refused."""

from __future__ import annotations

import pytest

from designsearch.dsl.problems import InvalidFileError, UserError
from designsearch.runtime.histories.base import load
from designsearch.runtime.records import Record


def noted(dataset):
    return {oddity.what: (oddity.count, oddity.examples) for oddity in dataset.report.oddities}


def test_every_field_is_read(write):
    row = {
        "id": 7, "text": "Rye bread, please", "time": "2024-03-01T09:30+02:00", "known_at": 1715704200000,
        "author": "Ana", "role": "user", "session": 3, "source": "chat", "section": "A > B", "reply_to": 6,
        "refs": [5, "x"], "scope": "shared", "event": "add", "meta": {"k": 1},
    }  # fmt: skip
    write("h.jsonl", [row])
    (dataset,) = load("h.jsonl")
    assert dataset.events == (
        Record(
            id="7", text="Rye bread, please", time="2024-03-01T09:30+02:00", known_at="2024-05-14T16:30:00Z",
            author="Ana", role="user", session="3", source="chat", section="A > B", reply_to="6", refs=("5", "x"),
            scope="shared", event="add", meta={"k": 1},
        ),
    )  # fmt: skip
    assert (dataset.name, dataset.questions, noted(dataset)) == ("h", (), {})
    assert dataset.report.counts == {"events": 1}


def test_text_comes_through_untouched(write):
    texts = [
        "{{ 6*7 }} {% for x in y %}",
        "</context>",
        "a\u2028b\u0085c",
        "  spaced\n\tout  ",
        "🎉 日本 हिन्दी",
        "${HOME}",
    ]
    write("h.jsonl", [{"id": i, "text": text} for i, text in enumerate(texts)])
    assert load("h.jsonl")[0].history().texts == tuple(texts)


@pytest.mark.parametrize("head", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_byte_order_mark_and_line_ends_do_not_matter(write, head, end):
    write("h.jsonl", head + end.join([b'{"id": "m", "text": "party \xf0\x9f\x8e\x89"}', b"", b""]))
    assert load("h.jsonl")[0].history().texts == ("party 🎉",)


def test_files_put_together_and_files_in_utf16_are_read(write):
    rows = ['{"id": "a", "text": "party 🎉"}\n', '{"id": "b", "text": "日本"}\n']
    write("together.jsonl", "".join("\ufeff" + row for row in rows))
    write("wide.jsonl", "".join(rows).encode("utf-16"))
    write("wide.json", f"[{','.join(rows)}]".encode("utf-16"))
    for name in ("together.jsonl", "wide.jsonl", "wide.json"):
        assert load(name)[0].history().texts == ("party 🎉", "日本")


@pytest.mark.parametrize("name", ["h.json", "h.jsonl"])
def test_an_array_of_events_is_read_too(write, name):
    write(name, '\ufeff[\n {"id": "m1", "text": "party 🎉"},\n {"id": "m2", "text": "b"}\n]\n')
    (dataset,) = load(name)
    assert dataset.history().ids == ("m1", "m2")


@pytest.mark.parametrize(("name", "content"), [("h.jsonl", ""), ("h.jsonl", "\n \n"), ("h.json", "[]")])
def test_an_empty_history_is_legal_but_said(write, name, content):
    write(name, content)
    (dataset,) = load(name)
    assert (len(dataset.history()), noted(dataset)) == (0, {"the history is empty": (1, (name,))})


def test_times_that_cannot_be_read_are_kept_aside(write):
    write("h.jsonl", [{"id": "a", "text": "x", "time": "2024-02-30"}, {"id": "b", "text": "y", "time": ""}])
    (dataset,) = load("h.jsonl")
    assert dataset.history().time_texts == ("", "")
    assert dataset.events[0].meta == {"unread_time": "2024-02-30"}
    ((count, examples),) = noted(dataset).values()
    assert count == 1
    assert examples[0].startswith("line 1: '2024-02-30' cannot exist")


def test_unknown_keys_are_kept_and_reported_once(write):
    write("h.jsonl", [{"id": i, "text": "x", "athor": "Ana", "mood": "good", "meta": {"k": 1}} for i in range(3)])
    (dataset,) = load("h.jsonl")
    assert dataset.events[0].meta == {"athor": "Ana", "mood": "good", "k": 1}
    assert noted(dataset) == {
        "unknown key 'athor', kept in meta (did you mean author?)": (3, ()),
        "unknown key 'mood', kept in meta": (3, ()),
    }


def test_pictures_stand_in_the_text(write):
    write(
        "h.jsonl",
        [
            {"id": "a", "text": None, "blip_caption": "a blue kayak"},
            {"id": "b", "text": "Look", "caption": "two oak chairs"},
            {"id": "c", "text": "", "img_url": ["https://example.org/c.jpg"]},
            {"id": "d", "text": None},
        ],
    )
    (dataset,) = load("h.jsonl")
    assert dataset.history().texts == ("[image: a blue kayak]", "Look [image: two oak chairs]", "[image]", "")
    assert noted(dataset)["records without text, kept"] == (1, ("d",))


def test_ids_are_made_from_content_and_stay_when_the_file_grows(write):
    rows = [{"text": "ok", "author": "Ana"}, {"text": "ok", "author": "Bo"}, {"text": "ok", "author": "Ana"}]
    write("h.jsonl", rows)
    first = load("h.jsonl")[0].history().ids
    write("h.jsonl", [*rows, {"text": "more"}])
    assert load("h.jsonl")[0].history().ids[:3] == first
    assert first[2] == f"{first[0]}~2"
    assert len(set(first)) == 3
    assert [o.what for o in load("h.jsonl")[0].report.oddities] == [
        "records without an id, given one made from their content",
        "duplicate ids, made unique",
    ]


def test_the_log_is_folded(write):
    write(
        "h.jsonl",
        [
            {"id": 1, "text": "one", "time": "2024-03-01", "scope": "agent"},
            {"id": 1, "text": "two", "event": "edit", "time": "2024-03-02"},
            {"id": 2, "text": "x"},
            {"id": "2", "event": "delete"},
            {"id": "9", "event": "delete"},
            {"id": 1, "text": "twin"},
        ],
    )
    (dataset,) = load("h.jsonl")
    history = dataset.history()
    assert (history.ids, history.texts) == (("1", "1~2"), ("two", "twin"))
    assert history.scopes[0] == "agent"
    assert noted(dataset) == {
        "delete of a record that is not there, ignored": (1, ("9",)),
        "duplicate ids, made unique": (1, ("1 -> 1~2",)),
    }


def test_half_a_surrogate_pair_cannot_poison_the_history(write):
    write("h.jsonl", r'{"id": "a", "text": "broken \ud83d end"}' + "\n" + r'{"id": "b", "text": "whole \ud83c\udf89"}')
    (dataset,) = load("h.jsonl")
    assert dataset.history().texts == ("broken \ufffd end", "whole 🎉")
    assert noted(dataset) == {"texts with half a surrogate pair, which is replaced by U+FFFD": (1, ())}


def test_all_mistakes_are_reported_with_their_lines(write, golden):
    write(
        "h.jsonl",
        [
            {"id": "a", "txet": "misspelt"},
            {"id": "b", "text": 5},
            ["not", "an", "object"],
            {"id": "", "text": "x"},
            {"id": True, "text": "x"},
            {"id": "c", "text": "x", "scope": "usr"},
            {"id": "d", "text": "x", "event": "remove"},
            {"id": "e", "text": "x", "refs": ["ok", 1.5]},
            {"id": "f", "text": "x", "author": ["Ana"]},
            {"id": "g", "text": "x", "meta": "m"},
            {"id": "h", "text": "x", "time": {"at": 1}},
            {"text": "x", "event": "edit"},
            {"id": "i", "question": "Which bread?"},
            {"id": "fine", "text": "x"},
        ],
    )
    with pytest.raises(InvalidFileError) as caught:
        load("h.jsonl")
    golden("jsonl_mistakes", str(caught.value))


def test_a_hundred_mistakes_are_not_a_hundred_lines(write):
    write("h.jsonl", [{"id": i} for i in range(100)])
    with pytest.raises(InvalidFileError) as caught:
        load("h.jsonl")
    lines = str(caught.value).splitlines()
    assert len(lines) == 21
    assert lines[-1] == "h.jsonl:21: and 80 more from here on"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("not_json", b'{"id": "a", "text": "x"}\nnot json at all\n'),
        ("cut_off", b'{"id": "a", "text": "x"}\n{"id": "b", "te'),
        ("not_utf8", b'{"id": "a", "text": "x"}\n{"id": "b", "text": "caf\xe9"}\n'),
        ("two_on_a_line", b'{"id": "a", "text": "x"} {"id": "b", "text": "x"}\n'),
        ("array_cut_off", b'[{"id": "a", "text": "x"},\n{"id": "b", "text": "x"}\n'),
        ("array_without_comma", b'[{"id": "a", "text": "x"}\n{"id": "b", "text": "x"}]\n'),
        ("after_the_array", b'[{"id": "a", "text": "x"}]\n{"id": "b", "text": "x"}\n'),
    ],
)
def test_what_is_not_json_names_the_line(write, golden, name, content):
    write("h.jsonl", content)
    with pytest.raises(InvalidFileError) as caught:
        load("h.jsonl")
    golden(name, str(caught.value))


@pytest.mark.parametrize("name", ["h.jsonl", "h.json"])
@pytest.mark.parametrize(
    ("meta", "said"), [("[" * 200_000, "nested too deeply"), ("9" * 5000, "a number has too many digits to be read")]
)
def test_json_beyond_reason_is_a_clear_error(write, name, meta, said):
    row = '{"id": "a", "text": "x", "meta": ' + meta + "}"
    write(name, row if name == "h.jsonl" else f"[{row}]")
    with pytest.raises(UserError, match=rf"h\.jsonl?:1: .*{said}"):
        load(name)


def test_one_record_over_several_lines(write):
    write("h.jsonl", '{\n "id": "a",\n "text": "x"\n}\n')
    assert load("h.jsonl")[0].history().texts == ("x",)


def test_a_key_that_is_given_twice_is_reported(write):
    write("h.jsonl", '{"id": "a", "text": "x", "text": "y"}')
    (dataset,) = load("h.jsonl")
    assert dataset.history().texts == ("y",)
    assert noted(dataset) == {"keys that are given twice, the last value kept": (1, ("text",))}


def test_a_picture_needs_no_text(write):
    write("h.jsonl", [{"id": "a", "img_url": ["x.png"]}, {"id": "b", "blip_caption": "a kayak"}])
    assert load("h.jsonl")[0].history().texts == ("[image]", "[image: a kayak]")


@pytest.mark.parametrize("nested", ["meta", "note"])
def test_what_is_nested_deeper_than_all_can_follow_is_told(write, nested):
    def line(depth):
        return f'{{"id": "a", "text": "x", "{nested}": ' + '{"a": ' * depth + "1" + "}" * depth + "}\n"

    write("h.jsonl", line(60))
    assert load("h.jsonl")[0].events[0].meta
    write("h.jsonl", line(400))
    with pytest.raises(InvalidFileError, match=rf"h\.jsonl:1: {nested}[.a]*: is nested more than 64 deep"):
        load("h.jsonl")
