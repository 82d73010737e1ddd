"""What has to do with a record, in values of JSON."""

import pytest

from designsearch.forgetting.target import target_of
from designsearch.runtime.records import Record

TEXT = "The spare key of the workshop lies under the third blue flower pot"
TARGET = target_of("talk", [Record("r1", TEXT)], ["r1"], frozenset({"r1"}))


@pytest.mark.parametrize(
    ("value", "marked"),
    [
        ({"evidence": [{"record": "r1", "quote": "x"}]}, True),
        ({"evidence": ["r1"]}, True),
        ({"bundle": {"records": ["r0", "r1"]}}, True),
        ({"nodes": [{"id": "r1", "degree": 3}]}, True),
        ({"a": [{"b": f"he said {TEXT}"}]}, True),
        ({f"{TEXT}": 1}, True),
        ({"id": "r1", "question": "Who?"}, False),
        ({"id": "r1", "statement": "a fact"}, False),
        ({"id": "r1", "text": "of another history"}, False),
        ({"id": "r1", "text": TEXT}, True),
        ({"question": "Who?", "history": "other", "evidence": ["r1"]}, False),
        ({"question": "Who?", "history": "talk", "evidence": ["r1"]}, True),
        ({"answer": "r1", "records": 1}, False),
    ],
)
def test_what_has_to_do_with_it(value, marked):
    assert TARGET.marks(value) is marked


def test_numbers_are_ids_behind_some_keys_alone():
    target = target_of("talk", [Record("5", TEXT)], ["5"], frozenset({"5"}))
    assert target.marks({"evidence": [{"record": 5}]})
    assert not target.marks({"records": 5, "n": 5})


def test_blanking_leaves_entries_out_and_keeps_the_rest():
    value = {"why": f"as {TEXT}", "units": [{"id": 3, "records": ["r1", "r2"]}, {"id": 4, "records": ["r2"]}], "n": 2}
    assert TARGET.scrubbed(value) == {"why": "forgotten", "units": [{"id": 4, "records": ["r2"]}], "n": 2}


def test_what_others_say_is_theirs():
    events = [Record("r1", f"{TEXT}. Please never tell anybody else where it lies."), Record("r2", f"> {TEXT}\nI see.")]
    target = target_of("talk", events, ["r1", "r2"], frozenset({"r1"}))
    assert target.also_said == {"r1": ("r2",)}
    assert not target.says(TEXT)
    assert target.says("please never tell anybody else where it lies")


def test_derived_texts_are_searched_for_unless_others_say_them():
    more = TARGET.also(
        ["Where does the key of the workshop lie?", "What was said on Monday?"], ["What was said on Monday?"]
    )
    assert more.says("where does the key of the workshop lie")
    assert not more.says("What was said on Monday?")
