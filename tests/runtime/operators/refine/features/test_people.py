import math

import pytest
from runtime_fakes import ask, call, memory_of, ranked

AUTHORS = ["Ana Lopez", "Dr. Ben <ben@example.org>", "", "王芳"]
M = memory_of([{"text": f"{i} Berlin" if i else "x", "author": a} for i, a in enumerate(AUTHORS)])


def feature(name, question, m=M):
    return call("features", name, ranked(list(range(m.size))), ask(question), m).tolist()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did Ana say?", [1, 0, 0, 0]),
        ("what did LOPEZ say?", [1, 0, 0, 0]),
        ("Ben's and Ana's plans", [1, 1, 0, 0]),
        ("example.org", [0, 0, 0, 0]),
        ("Anabel", [0, 0, 0, 0]),
        ("王芳 说了什么?", [0, 0, 0, 1]),
        ("", [0, 0, 0, 0]),
    ],
)
def test_author(question, expected):
    assert feature("author", question) == expected


def test_author_says_nothing_where_there_is_only_one():
    assert feature("author", "What did Ana say?", memory_of([{"text": "x", "author": "Ana"}, "y"])) == [0, 0]


def test_names_are_capitalised_words_after_the_first():
    idf = math.log(1 + (4 - 3 + 0.5) / (3 + 0.5))
    assert feature("names", "When in Berlin?") == pytest.approx([0, idf, idf, idf])
    assert feature("names", "Berlin, when?") == [0, 0, 0, 0]
    assert feature("names", "when in berlin?") == [0, 0, 0, 0]
