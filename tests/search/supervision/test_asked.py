"""When questions are asked."""

import pytest

from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.histories.times import parse_time
from designsearch.runtime.records import Record
from designsearch.search.supervision.asked import with_time
from designsearch.search.supervision.contracts import Draft, Material, Source
from designsearch.search.supervision.plans import Contribution, Plan
from designsearch.search.supervision.shares import asked_of


def draft(*times, cited=None, seed=1, as_of=None):
    sources = tuple(Source(f"r{i}", i, "text", time) for i, time in enumerate(times))
    evidence = tuple(Contribution(f"r{i}", "it") for i in (range(len(times)) if cited is None else cited))
    return Draft(Material(0, sources, (), seed), Plan("it", "text", "a", evidence=evidence), "What?", as_of)


@pytest.mark.parametrize("seed", range(20))
def test_some_time_after_the_last_evidence(seed):
    asked = parse_time(with_time(draft("2024-03-01", "2024-05", "2024-04-01T10:00", seed=seed), "after").as_of)
    days = (asked.local - parse_time("2024-06-01").local) / 86_400
    assert 3 <= days <= 90
    assert asked.precision == "minute"


def test_times_differ_from_item_to_item_and_are_the_same_for_the_same():
    made = [with_time(draft("2024-03-01", seed=seed), "after").as_of for seed in (1, 2, 3, 1)]
    assert len(set(made)) == 3
    assert made[0] == made[3]


def test_only_evidence_counts_where_there_is_some():
    asked = with_time(draft("2020-01-01", "2024-03-01", cited=[0]), "after").as_of
    assert asked < "2020-04-02"
    assert with_time(draft("2020-01-01", "2024-03-01", cited=[]), "after").as_of > "2024-03-04"


def test_the_zone_is_that_of_the_last_evidence():
    asked = with_time(draft("2024-03-01T23:30-08:00", "2024-03-02T01:00+02:00"), "after").as_of
    assert asked.endswith("-08:00")
    assert parse_time("2024-03-01T23:30-08:00").known_by(parse_time(asked))


def test_what_has_no_time_is_asked_at_none():
    assert with_time(draft("", "soon"), "after").as_of is None
    assert with_time(draft("9999-12-31"), "after").as_of is None


def test_a_time_that_the_question_depends_on_stays():
    assert with_time(draft("2024-03-01", as_of="2024-03-02"), "after").as_of == "2024-03-02"
    assert with_time(draft("2024-03-01", as_of="2024-03-02"), "end").as_of is None


@pytest.mark.parametrize(
    ("roles", "asked", "expected"),
    [
        (["user", "assistant"], "auto", "after"),
        (["user", "user"], "auto", "end"),
        (["", ""], "auto", "end"),
        (["user", "assistant"], "end", "end"),
        (["", ""], "after", "after"),
    ],
)
def test_an_assistant_is_asked_along_the_way_and_an_archive_at_the_end(roles, asked, expected):
    events = [Record(str(i), "some words", role=role) for i, role in enumerate(roles)]
    assert asked_of(Dataset("one", tuple(events)).history(), asked) == expected
