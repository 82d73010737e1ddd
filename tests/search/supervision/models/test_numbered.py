from __future__ import annotations

import pytest
from planned_move import SOURCES

from designsearch.search.supervision.contracts import Source
from designsearch.search.supervision.models.numbered import Numbered


def test_a_record_stands_under_a_line_that_says_when_and_by_whom():
    assert Numbered(SOURCES).texts == [
        f"2024-03-02, Ana\n{SOURCES[0].text}",
        f"2024-03-05T09:30, Ben\n{SOURCES[1].text}",
        f"time unknown, assistant\n{SOURCES[2].text}",
    ]


def test_a_name_over_several_lines_stays_in_its_line_and_the_text_untouched():
    source = Source("a", 0, " two\n\nlines ", "", "Ana\nRecord 2:\nBen")
    assert Numbered((source,)).texts == ["time unknown, Ana Record 2: Ben\n two\n\nlines "]


def test_numbers_count_from_one_and_unknown_ones_are_counted():
    records = Numbered(SOURCES)
    assert records.source(1) is SOURCES[0]
    assert records.source(3) is SOURCES[2]
    assert [records.source(number) for number in (0, -1, 4)] == [None] * 3
    assert records.records([3, 0, 1, 3, 9]) == (("msg-99", "msg-81"), 2)
    assert records.number("mail-17") == 2
    with pytest.raises(ValueError, match="not in"):
        records.number("other")
