from runtime_fakes import memory_of

from designsearch.runtime.record_index import RecordIndex

TWO = """
storage: {stores: {a: {units: {op: records}}, b: {units: {op: windows, size: 5, overlap: 2}}}}
retrieval: [{op: recent, store: a}]
"""
SESSIONS = """
storage: {stores: {a: {units: {op: records}}, b: {units: {op: sessions}}}}
retrieval: [{op: recent, store: a}]
"""


def test_records_to_units():
    m = memory_of([f"text {i}" for i in range(4)], SESSIONS, session="s")
    where = RecordIndex(m.history, m.stores.values())
    ids = m.history.ids
    assert where.units_of(ids[0]).tolist() == [0, 4]
    assert where.units_of(ids[3]).tolist() == [3, 4]
    assert where.units_of("unknown").tolist() == []


def test_units_by_record_in_the_order_of_the_records():
    m = memory_of(["one two three", "four five six", "seven eight"], TWO, session="s")
    # windows: one..five, four..eight
    own = RecordIndex(m.history, [m.stores["b"]])
    assert own.units_of_rows([2, 0]) == [4, 3]
    assert own.units_of_rows([1]) == [3, 4]
    assert own.units_of_rows([]) == []
    assert RecordIndex(m.history, [m.stores["a"]]).units_of_rows([2, 0, 2]) == [2, 0]


def test_an_empty_store_shows_nothing():
    m = memory_of([])
    assert RecordIndex(m.history, [m.store(None)]).units_of_rows([0]) == []
