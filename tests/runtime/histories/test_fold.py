"""The log of events folds to one snapshot, whichever way it was loaded."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.histories.fold import EventLog, fold
from designsearch.runtime.histories.times import parse_time
from designsearch.runtime.records import NO_TIME, Record


def test_records_come_in_order_of_time_with_ties_in_order_of_arrival():
    history = fold(
        [
            Record("c", "third", "2024-03-02T10:00"),
            Record("a", "first", "2024-03-01", author="Ana", refs=("c",), meta={"k": 1}),
            Record("d", "fourth", "2024-03-02T10:00"),
        ],
        "h",
    )
    assert history.ids == ("a", "c", "d")
    assert history.texts == ("first", "third", "fourth")
    assert history.time_texts == ("2024-03-01", "2024-03-02T10:00", "2024-03-02T10:00")
    assert history.times.tolist() == [parse_time(t).local for t in history.time_texts]
    assert (history.authors[0], history.refs, history.meta) == ("Ana", {0: ("c",)}, {0: {"k": 1}})
    assert history.name == "h"


def test_zoned_times_are_ordered_by_instant_and_shown_by_the_local_clock():
    history = fold(
        [Record("utc", "x", "2024-05-14T22:30Z"), Record("east", "y", "2024-05-15T00:30+08:00")],
        "h",
    )
    assert history.ids == ("east", "utc")
    assert history.time_texts == ("2024-05-15T00:30+08:00", "2024-05-14T22:30Z")
    assert history.times.tolist() == [parse_time("2024-05-15T00:30").local, parse_time("2024-05-14T22:30").local]


def test_a_record_without_a_time_stays_behind_the_one_before_it():
    history = fold(
        [
            Record("late", "x", "2024-03-05"),
            Record("after-late", "x"),
            Record("early", "x", "2024-03-01"),
            Record("after-early", "x"),
        ],
        "h",
    )
    assert history.ids == ("early", "after-early", "late", "after-late")
    assert history.times.tolist()[1] == NO_TIME
    assert history.time_texts[1] == ""


def test_no_time_at_all_leaves_the_order_of_arrival():
    assert fold([Record(i, "x") for i in "cab"], "h").ids == ("c", "a", "b")


def test_an_empty_log_is_an_empty_history():
    history = fold([], "h")
    assert len(history) == 0
    assert history.times.dtype == np.int64
    assert history.authors.names == ()


def test_duplicate_ids_are_made_unique_and_reported_and_none_is_lost():
    log = EventLog([Record("m", "one"), Record("m", "two"), Record("m~2", "three"), Record("m", "four")])
    history = log.snapshot("h")
    assert dict(zip(history.ids, history.texts, strict=True)) == {
        "m": "one",
        "m~2": "two",
        "m~2~2": "three",
        "m~3": "four",
    }
    (oddity,) = log.report.oddities
    assert (oddity.count, oddity.examples) == (3, ("m -> m~2", "m~2 -> m~2~2", "m -> m~3"))


def test_an_edit_keeps_id_place_and_what_it_does_not_name():
    history = fold(
        [
            Record("a", "was", "2024-03-01", author="Ana", session="s1", scope="shared", meta={"k": 1, "l": 2}),
            Record("b", "other", "2024-03-02"),
            Record("a", "now", "2024-03-09", event="edit", author="", scope="", session="s2", meta={"l": 3}),
        ],
        "h",
    )
    assert (history.ids, history.texts) == (("a", "b"), ("now", "other"))
    assert history.time_texts[0] == "2024-03-01"
    assert (history.authors[0], history.sessions[0], history.scopes[0]) == ("Ana", "s2", "shared")
    assert history.meta[0] == {"k": 1, "l": 3}


def test_an_edit_with_both_times_moves_the_record():
    history = fold(
        [
            Record("a", "was", "2024-03-01"),
            Record("b", "other", "2024-03-02"),
            Record("a", "now", "2024-03-03", known_at="2024-03-09", event="edit"),
        ],
        "h",
    )
    assert (history.ids, history.time_texts) == (("b", "a"), ("2024-03-02", "2024-03-03"))


def test_deleted_records_are_gone_and_their_id_is_free_again():
    log = EventLog([Record("a", "one", "2024-03-01"), Record("b", "two", "2024-03-02")])
    log.append([Record("a", "", "2024-03-03", event="delete")])
    assert log.snapshot("h").ids == ("b",)
    log.append([Record("a", "again", "2024-03-04")])
    assert (log.snapshot("h").ids, log.snapshot("h").texts) == (("b", "a"), ("two", "again"))
    assert log.report.oddities == []


@pytest.mark.parametrize("kind", ["edit", "delete"])
def test_changing_what_is_not_there_is_reported(kind):
    log = EventLog([Record("a", "one"), Record("ghost", "x", event=kind)])
    assert log.snapshot("h").texts == ("one",)
    assert str(log.report.oddities[0]) == f"{kind} of a record that is not there, ignored: 1 (ghost)"


def test_changing_a_deleted_record_is_reported():
    log = EventLog([Record("a", "one"), Record("a", "", event="delete"), Record("a", "two", event="edit")])
    assert len(log.snapshot("h")) == 0
    assert log.report.oddities[0].count == 1


def test_a_time_that_cannot_be_is_unknown_and_reported():
    log = EventLog([Record("a", "one", "2024-02-31")])
    assert log.snapshot("h").times.tolist() == [NO_TIME]
    assert "2024-02-31" in log.report.oddities[0].examples[0]


def test_as_of_shows_the_state_of_that_time():
    log = EventLog(
        [
            Record("a", "one", "2024-03-01"),
            Record("b", "learnt late", "2024-03-01", known_at="2024-03-20"),
            Record("a", "corrected", "2024-03-10", event="edit"),
            Record("a", "", "2024-03-15", event="delete"),
        ]
    )
    shown = {day: log.snapshot("h", parse_time(f"2024-03-{day}")).texts for day in ("05", "10", "15", "20")}
    assert shown == {"05": ("one",), "10": ("corrected",), "15": (), "20": ("learnt late",)}


def test_as_of_hides_what_follows_a_later_record_without_a_time_of_its_own():
    log = EventLog([Record("x", "always"), Record("a", "later", "2024-03-05"), Record("b", "its reply")])
    assert log.snapshot("h", parse_time("2024-03-01")).ids == ("x",)
    assert log.snapshot("h", parse_time("2024-03-05")).ids == ("x", "a", "b")


def test_an_id_means_the_same_record_at_every_time():
    log = EventLog([Record("m", "one", "2024-03-09"), Record("m", "two", "2024-03-01")])
    assert log.snapshot("h", parse_time("2024-03-05")).ids == ("m~2",)
    assert log.snapshot("h").ids == ("m~2", "m")


days = st.one_of(st.none(), st.integers(1, 28).map(lambda day: f"2024-03-{day:02d}"))
events = st.lists(
    st.builds(
        Record,
        id=st.sampled_from("abcd"),
        text=st.text(max_size=4),
        time=days,
        known_at=days,
        author=st.sampled_from(["", "Ana", "Bo"]),
        event=st.sampled_from(["add", "add", "edit", "delete"]),
    ),
    max_size=14,
)


@given(events, st.integers(0, 14))
def test_appending_later_gives_the_same_as_loading_at_once(log, cut):
    grown = EventLog(log[:cut])
    grown.snapshot("h")
    grown.append(log[cut:])
    at_once = EventLog(log)
    assert grown.snapshot("h").fingerprint == fold(log, "h").fingerprint
    assert grown.report.lines() == at_once.report.lines()


@given(events, st.integers(1, 28))
def test_as_of_never_shows_the_future(log, day):
    cut = parse_time(f"2024-03-{day:02d}")
    marked = [replace(event, text=f"canary {i}") for i, event in enumerate(log)]
    later = {event.text for event in marked if (t := event.known_at or event.time) and not parse_time(t).known_by(cut)}
    assert not later & set(fold(marked, "h", cut).texts)


@given(events, st.integers(1, 28))
def test_as_of_does_not_depend_on_what_comes_later(log, day):
    cut = parse_time(f"2024-03-{day:02d}")
    before = fold(log, "h", cut)
    later = [Record(f"new{i}", "canary", "2024-04-01") for i in range(3)]
    later += [Record(event.id, "canary", "2024-04-02", event="edit") for event in log]
    assert fold([*log, *later], "h", cut).fingerprint == before.fingerprint


@given(events)
def test_the_view_of_the_end_is_the_whole_history(log):
    assert fold(log, "h", parse_time("2025")).fingerprint == fold(log, "h").fingerprint


@given(st.permutations([Record(i, i, f"2024-03-0{n}") for n, i in enumerate("abcdefg", 1)]))
def test_records_of_different_times_may_arrive_in_any_order(log):
    assert fold(log, "h").ids == tuple("abcdefg")


@given(events)
def test_every_added_record_is_there_unless_deleted(log):
    added = sum(event.event == "add" for event in log)
    deleted = sum(event.event == "delete" for event in log)
    history = fold(log, "h")
    assert added - deleted <= len(history) <= added
    assert len(set(history.ids)) == len(history)


def test_append_tells_the_ids_that_it_gave():
    log = EventLog([Record("a", "one")])
    assert log.append([Record("a", "two"), Record("b", "three"), Record("a", "", event="delete")]) == ["a~2", "b", "a"]
    assert log.append([Record("gone", "x", event="edit")]) == ["gone"]


def test_forgetting_takes_every_event_of_a_record_out():
    log = EventLog([Record("a", "one"), Record("b", "two"), Record("a", "uno", event="edit"), Record("a", "twin")])
    assert log.snapshot("h").ids == ("a", "b", "a~2")
    assert log.forget("a")
    assert len(log) == 2
    assert log.snapshot("h").ids == ("b", "a~2")
    assert not log.forget("a")
    assert not log.forget("never there")
    log.append([Record("a", "again")])
    assert log.snapshot("h").texts == ("two", "twin", "again")
    log.append([Record("b", "", event="delete")])
    assert log.forget("b")
    assert log.snapshot("h").texts == ("twin", "again")


def test_the_numbers_of_equal_ids_are_not_searched_from_the_start():
    log = EventLog(Record("a", f"text {n}") for n in range(20_000))
    log.append([Record("a~30000", "x"), Record("a", "y")])
    history = log.snapshot("h")
    assert (len(history.ids), history.ids[-1]) == (20_002, "a~20001")
