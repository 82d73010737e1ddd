"""Steps of a policy as people read them."""

import pytest

from designsearch.cli.episode_table import step_line
from designsearch.episode_trace import EpisodeStep


@pytest.mark.parametrize(
    ("records", "contents", "said"),
    [
        ((("a", "b"), ("c",)), (), "add 2 units: a+b, c"),
        ((("a", "b"), ("c",)), ("two\nlines", ""), "add 2 units: a+b (two lines), c"),
        (tuple((str(i),) for i in range(9)), (), "add 9 units: 0, 1, 2, 3, 4, 5, 6, 7 and 1 more"),
        ((tuple("abcdefghij"), ("k",)), (), "add 2 units: a+b+c+d+e+f+g+h+2 more, k"),
    ],
)
def test_notes(records, contents, said):
    assert step_line(EpisodeStep("add", records=records, contents=contents)) == said
