"""Reading JSON files of the program's own."""

import pytest

from designsearch.dsl.problems import InvalidFileError, UserError
from designsearch.runtime.exact_json import read_exact_json, read_exact_lines


def test_a_file_is_read_as_it_stands(tmp_path):
    path = tmp_path / "w.json"
    path.write_text('{"a": 1, "b": {"a": 2}, "c": [{"a": 3}, {"a": 4}]}')
    assert read_exact_json(path) == {"a": 1, "b": {"a": 2}, "c": [{"a": 3}, {"a": 4}]}


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ('{"tokens": 1, "tokens": 2}', "tokens"),
        ('{"tokens": 1, "tokens": 1}', "tokens"),
        ('{"selector": {"bm25": 1, "rank": 2, "bm25": 3}}', "bm25"),
        ('[{"a": 1, "b": 2, "a": 3, "b": 4}]', "a, b"),
        ('{"a": 1, "\\u0061": 2}', "a"),
        ('{"": 1, "": 2}', '""'),
    ],
)
def test_a_key_that_is_given_twice_is_refused(tmp_path, text, keys):
    path = tmp_path / "w.json"
    path.write_text(text)
    with pytest.raises(UserError) as error:
        read_exact_json(path)
    assert str(error.value) == f"{path}: key given twice in one object: {keys}; leave it there once"


def test_of_json_lines_the_line_is_told(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\n\n{"a": "x\u2028y"}\n')
    assert list(read_exact_lines(path)) == [(1, {"a": 1}), (3, {"a": "x\u2028y"})]
    path.write_text('{"a": 1}\n\n{"b": 1, "b": 2}\n')
    with pytest.raises(UserError) as error:
        list(read_exact_lines(path))
    assert str(error.value) == f"{path}:3: key given twice in one object: b; leave it there once"


def test_what_is_no_json_is_refused(tmp_path):
    path = tmp_path / "w.json"
    path.write_text('{"a": ')
    with pytest.raises(InvalidFileError, match="not JSON"):
        read_exact_json(path)
