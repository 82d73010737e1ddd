import pytest
from hypothesis import given
from rule_worlds import texts

from designsearch.search.supervision.offline.readable import MOST_TEXT, readable


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("A kiln [image: a red kiln] here", "A kiln here"),
        ("See [the kiln](plan.md)", "See [the kiln](plan.md)"),
        ("At https://kiln.example/a?b=1 now", "At now"),
        ("Ask ana.b@kiln.example.org today", "Ask today"),
        ("Subject: the kiln\n**From:** me\nno label: here", "the kiln\n me\nno label: here"),
    ],
)
def test_what_is_not_read_is_dots(text, left):
    read = readable(text)
    assert " ".join(read.replace("..", "").replace(".", " ").split()) == " ".join(left.replace(".", " ").split())


@given(texts())
def test_places_stay_where_they_are(text):
    read = readable(text)
    assert len(read) == min(len(text), MOST_TEXT)
    assert all(new in (old, ".") for new, old in zip(read, text, strict=False))
    assert readable(read) == read
