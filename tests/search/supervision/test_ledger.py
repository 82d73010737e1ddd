"""The ledger of a generation as it is read back."""

import json

import pytest

from designsearch.dsl.problems import CannotContinueError
from designsearch.search.supervision.items import Item
from designsearch.search.supervision.ledger import FILE, End, ItemLedger

LINES = [Item("train", 0, "kept"), Item("train", 1, "spare"), Item("locked", 0, "rejected"), End("train", "enough")]


def said(_: str) -> None:
    raise AssertionError


@pytest.fixture
def written(tmp_path):
    """The lines of a ledger on the disk."""
    ItemLedger(tmp_path, said).append(LINES)
    return (tmp_path / FILE).read_text(encoding="utf-8").splitlines(keepends=True)


def test_what_was_added_is_read_back(written, tmp_path):
    assert ItemLedger(tmp_path, said).lines == LINES


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lines: lines[1:], r"line 1: ValueError: item 1 of train where 0 should be"),
        (lambda lines: [lines[0], *lines], r"line 2: ValueError: item 0 of train where 1 should be"),
        (
            lambda lines: [json.dumps(json.loads(lines[0]) | {"ordinal": "x"}) + "\n"],
            r"line 1: ValueError: item 'x' of train where 0 should be",
        ),
        (lambda lines: ["[]\n"], r"line 1: "),
        (lambda lines: ['{"x": 1}\n'], r"line 1: KeyError: 'part'"),
    ],
    ids=["a line is lacking", "a line stands twice", "no number", "no object", "another object"],
)
def test_what_was_changed_is_damaged(written, tmp_path, change, told):
    (tmp_path / FILE).write_text("".join(change(written)), encoding="utf-8")
    with pytest.raises(CannotContinueError, match=rf"items\.jsonl: is damaged \({told}"):
        ItemLedger(tmp_path, said)


def test_a_folder_in_its_place_is_told(tmp_path):
    (tmp_path / FILE).mkdir()
    with pytest.raises(CannotContinueError, match=r"items\.jsonl: cannot be read \(Is a directory\)"):
        ItemLedger(tmp_path, said)
