import pytest

from designsearch.dsl.paths import parse_path, show_path
from designsearch.dsl.problems import UserError

PAIRS = [
    ("", ()),
    ("retrieval[1].k", ("retrieval", 1, "k")),
    ("retrieval[-1]", ("retrieval", -1)),
    ("storage.views.window.before", ("storage", "views", "window", "before")),
    ('storage["a.b"].c', ("storage", "a.b", "c")),
    ('features["cosine.window"]', ("features", "cosine.window")),
    ("x-note", ("x-note",)),
    ('["1"]', ("1",)),
    ('a["with \\"quotes\\""][0][2]', ("a", 'with "quotes"', 0, 2)),
]


@pytest.mark.parametrize(("text", "path"), PAIRS)
def test_both_ways(text, path):
    assert parse_path(text) == path
    assert show_path(path) == text


def test_single_quotes_and_blanks_are_read_too():
    assert parse_path(" a['b.c'][ 3 ] ") == ("a", "b.c", 3)


@pytest.mark.parametrize("text", ["a..b", ".a", "a.", "a[", "a[x]", "a b", 'a["b', "a]", "a=b", 'a["\\q"]'])
def test_what_is_no_path_is_refused(text):
    with pytest.raises(UserError, match="not a"):
        parse_path(text)
