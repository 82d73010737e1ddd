from runtime_fakes import memory_of

from designsearch.runtime.operators.agent.units_of_records import UnitsOfRecords

TWO = """
storage: {stores: {a: {units: {op: records}}, b: {units: {op: windows, size: 5, overlap: 2}}}}
retrieval: [{op: recent, store: a}]
"""


def test_units_by_record_in_the_order_of_the_records():
    m = memory_of(["one two three", "four five six", "seven eight"], TWO, session="s")
    # windows: one..five, four..eight
    own = UnitsOfRecords(m.stores["b"])
    assert own.of([2, 0]) == [4, 3]
    assert own.of([1]) == [3, 4]
    assert own.of([]) == []
    assert UnitsOfRecords(m.stores["a"]).of([2, 0, 2]) == [2, 0]


def test_an_empty_store_shows_nothing():
    assert UnitsOfRecords(memory_of([]).store(None)).of([0]) == []
