from runtime_fakes import WordCounter, memory_of

from designsearch.runtime.operators.refine.candidate_texts import candidate_texts, cut_all
from designsearch.runtime.services import Services

TALK = [
    {"text": "we went to the lake", "time": "2024-05-01T10:00", "author": "Ana", "session": "s"},
    {"text": "was it cold", "time": "2024-05-01T10:01", "author": "Ben", "session": "s"},
    {"text": "a note", "session": "t"},
]


def test_a_record_has_its_time_and_author_before_it():
    m = memory_of(TALK, "storage: {units: {op: records}}")
    assert candidate_texts([2, 0, 0], "raw", 50, m) == {
        0: "Wednesday 2024-05-01 10:00, Ana: we went to the lake",
        2: "a note",
    }


def test_several_records_have_the_day_alone():
    m = memory_of(TALK, "storage: {units: {op: sessions}}")
    assert candidate_texts([0], "raw", 50, m) == {0: "2024-05-01: we went to the lake\nwas it cold"}


def test_units_of_several_stores():
    two = "storage: {stores: {a: {units: {op: records}}, b: {units: {op: sessions}}}}"
    two += "\nretrieval: [{op: recent, store: a}]"
    found = candidate_texts([1, 4], "raw", 50, memory_of(TALK, two))
    assert found == {1: "Wednesday 2024-05-01 10:01, Ben: was it cold", 4: "a note"}


def test_long_texts_are_cut_and_marked():
    assert cut_all(["a b c", "a b", ""], 2, WordCounter()) == ["a b ...", "a b", ""]
    m = memory_of(["one two three"], services=Services(counter=WordCounter()))
    assert candidate_texts([0], "raw", 2, m) == {0: "one two ..."}
