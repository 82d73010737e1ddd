import pytest

from designsearch.dsl.design import Section
from designsearch.runtime.context_layout import LAST, Entry, Part, arranged


def entries(*times):
    return [Entry(i, i + 1, 1.0, "abcdefg"[i], i % 2, LAST if t is None else t) for i, t in enumerate(times)]


@pytest.mark.parametrize(
    ("order", "times", "expected"),
    [
        ("relevance", (3, 1, 2), "abc"),
        ("chronological", (3, 1, None, -5, 1), "dbeac"),
        ("edges", (0,) * 7, "acegfdb"),
        ("edges", (0,) * 2, "ab"),
        ("edges", (), ""),
    ],
)
def test_arranged(order, times, expected):
    assert "".join(e.item for e in arranged(order, entries(*times))) == expected


def part(**section):
    return Part(Section("{{ unit.text }}", **section), None, "top", "end")


def test_blocks_of_groups():
    made = part(group_by="session", order="chronological")
    for entry in entries(4, 3, 2, 1):
        made.add(entry, f"group {entry.group}", 1)
    assert made.blocks() == ["top", "group 1", "d", "b", "group 0", "c", "a", "end"]
    assert made.first_block() == "top"
    assert made.used == 4


def test_what_stands_first_follows_the_choice():
    made = part(order="chronological")
    made.header = ""
    for entry, first in zip(entries(4, 3, None), "abb", strict=True):
        before = made.lead
        made.add(entry, "", 2)
        assert made.first_block() == first
    made.drop_last(2, before)
    assert (made.used, made.first_block(), len(made.entries)) == (4, "b", 2)
    made.clear()
    assert (made.used, made.first_block(), made.blocks()) == (0, "", [])


def test_full():
    made = part(max_units=1)
    assert not made.is_full
    made.add(entries(1)[0], "", 1)
    assert made.is_full
