"""Reports count everything and show a few examples."""

from __future__ import annotations

from designsearch.runtime.histories.images import with_image
from designsearch.runtime.histories.report import LoadReport


def test_cases_are_counted_and_few_are_shown():
    report = LoadReport()
    report.count("events", 3)
    for i in range(7):
        report.note("odd ids", f"m{i % 6}")
    report.note("unnamed", number=4)
    assert report.lines() == ["3 events", "odd ids: 7 (m0, m1, m2, m3, m4, ...)", "unnamed: 4"]


def test_an_empty_report_says_so():
    assert LoadReport().lines() == ["nothing read"]


def test_merging_adds_counts_and_cases():
    one, two = LoadReport(), LoadReport()
    one.count("events")
    one.note("odd", "a")
    two.count("events", 2)
    two.note("odd", "b", number=3)
    two.note("new")
    one.merge(two)
    assert one.lines() == ["3 events", "odd: 4 (a, b, ...)", "new: 1"]
    assert two.lines() == ["2 events", "odd: 3 (b, ...)", "new: 1"]


def test_a_picture_is_shown_by_its_words_alone():
    assert with_image("Look", "two {{ chairs }}", has_image=True) == "Look [image: two {{ chairs }}]"
    assert with_image("", "", has_image=True) == "[image]"
    assert with_image("Look", "", has_image=False) == "Look"
