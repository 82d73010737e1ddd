"""Sources of another shape, read by a map of fields."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import load
from designsearch.runtime.histories.fields import load_mapped, parse_fields

MESSAGES = [
    {"ts": 1715704200, "from": {"name": "Ana", "id": 7}, "body": "The flight is at nine"},
    {"ts": "2024-05-15", "from": {"name": "Bo"}, "body": ["Thanks", "See you"], "id": "m2"},
]
MAP = {"text": "body", "time": "ts", "author": "from.name"}


def noted(dataset):
    return {oddity.what: (oddity.count, oddity.examples) for oddity in dataset.report.oddities}


@pytest.mark.parametrize(
    ("name", "content", "where"),
    [
        ("a.jsonl", MESSAGES, ""),
        ("a.json", MESSAGES, ""),
        ("a.json", {"data": {"messages": MESSAGES}}, "data.messages"),
        ("a.json", {"talks": [{"messages": MESSAGES[:1]}, {"messages": MESSAGES[1:]}]}, "talks.messages"),
        ("a.jsonl", [{"messages": MESSAGES[:1]}, {"messages": MESSAGES[1:]}], "messages"),
    ],
)
def test_paths_lead_to_records_and_fields(write, name, content, where):
    path = write(name, content)
    dataset = load_mapped(path, MAP | ({"records": where} if where else {}))
    assert [(e.text, e.time, e.author) for e in dataset.events] == [
        ("The flight is at nine", "2024-05-14T16:30:00Z", "Ana"),
        ("Thanks\nSee you", "2024-05-15", "Bo"),
    ]
    assert dataset.events[1].id == "m2"
    assert dataset.events[0].meta == {"from": {"name": "Ana", "id": 7}}


@pytest.mark.parametrize(
    ("name", "mark"),
    [("a.csv", ","), ("a.csv", ";"), ("a.tsv", "\t"), ("a.csv", "\t")],
    ids=["comma", "semi", "tsv", "tab"],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_csv_with_a_map(write, name, mark, encoding):
    rows = [["when", "who", "body", "mood"], ["2024-03-01", "Zoë", '"Rye, bread\nplease 🎉"', ""]]
    path = write(name, "\r\n".join(mark.join(row) for row in rows).encode(encoding))
    (event,) = load_mapped(path, {"text": "body", "author": "who", "time": "when"}).events
    assert (event.text, event.author, event.time, event.meta) == ("Rye, bread\nplease 🎉", "Zoë", "2024-03-01", {})


def test_csv_that_names_our_fields_needs_no_map(write):
    write("a.csv", "id,text,author\n1,hello,Ana\n,,\n2,there,Bo,extra\n")
    (dataset,) = load("a.csv")
    assert [(e.id, e.text, e.author) for e in dataset.events] == [("1", "hello", "Ana"), ("2", "there", "Bo")]
    assert noted(dataset) == {"rows with more cells than the heading, the rest left out": (1, ("line 4",))}


def test_a_column_that_stands_twice_is_told(write):
    write("a.csv", "id,text,text\n1,old,new\n")
    (dataset,) = load("a.csv")
    assert dataset.events[0].text == "new"
    assert noted(dataset) == {"columns of the same name, the last one kept": (1, ("text",))}


def test_a_quotation_mark_that_never_closes_takes_no_rows(write):
    write("a.csv", 'id,text\n1,hello\n2,"a 5 inch\n3,lost\n4,lost too\n')
    with pytest.raises(UserError, match=r"a\.csv:3: a quotation mark in the row that begins here is never closed"):
        load("a.csv")


def test_a_quotation_mark_inside_a_cell_is_text(write):
    write("a.csv", 'id,text\n1,a 5" nail\n2,"two\nlines"\n')
    assert [event.text for event in load("a.csv")[0].events] == ['a 5" nail', "two\nlines"]


def test_a_bad_row_stops_nothing(write):
    path = write("a.jsonl", [{"body": "x"}, 5, {"body": {"no": "text"}}, {"body": 12, "ts": "2024-02-30"}])
    dataset = load_mapped(path, {"text": "body"})
    assert [e.text for e in dataset.events] == ["x", "12"]
    assert noted(dataset)["rows that are no records, left out"] == (
        2,
        ("line 2: an event is a JSON object, not a number", "line 3: text: must be a string, not an object"),
    )


def test_a_time_of_another_shape_costs_no_record(write):
    path = write("a.jsonl", [{"body": "x", "at": {"$date": 1}}, {"body": "y", "at": True}])
    dataset = load_mapped(path, {"text": "body", "time": "at"})
    assert [(e.text, e.time, e.meta) for e in dataset.events] == [
        ("x", None, {"unread_time": "{'$date': 1}"}),
        ("y", None, {"unread_time": "True"}),
    ]
    assert noted(dataset)["times that cannot be read, taken as unknown"][0] == 2


def test_a_key_that_only_later_records_have_is_fine(write):
    path = write("a.jsonl", [{"body": "x"}, {"body": "y", "who": "Bo"}])
    assert [e.author for e in load_mapped(path, {"text": "body", "author": "who"}).events] == ["", "Bo"]


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("map_no_key", {"text": "from.nam"}),
        ("map_no_field", {"txet": "body"}),
        ("map_no_records", {"text": "body", "records": "data"}),
    ],
)
def test_mistakes_in_a_map_are_told(write, golden, name, fields):
    path = write("a.jsonl", MESSAGES)
    with pytest.raises(UserError) as caught:
        load_mapped(path, fields)
    golden(name, str(caught.value))


def test_a_map_reads_one_file(write):
    write("folder/a.csv", "text\nx\n")
    with pytest.raises(UserError, match="is a folder; a map reads one file"):
        load_mapped(Path("folder"), {"text": "x"})
    with pytest.raises(UserError, match="has its records in rows"):
        load_mapped(Path("folder/a.csv"), {"records": "x"})


@pytest.mark.parametrize(
    ("entries", "said"),
    [(["text"], "write FIELD=KEY"), (["text=a", "text=b"], "mapped twice"), (["=a"], "write FIELD=KEY")],
)
def test_the_form_of_a_map(entries, said):
    with pytest.raises(UserError, match=said):
        parse_fields(entries)
    assert parse_fields(["text=body", " time = a.b=c "]) == {"text": "body", "time": "a.b=c"}


@given(st.binary(max_size=80) | st.text(max_size=60).map(lambda t: ("text,a\n" + t).encode("utf-8", "surrogatepass")))
def test_any_bytes_are_read_or_refused(tmp_path_factory, content):
    for name in ("a.csv", "a.json", "a.jsonl"):
        path = tmp_path_factory.mktemp("any") / name
        path.write_bytes(content)
        with suppress(UserError):
            assert load_mapped(path, {"author": "a"}).name == "a"
