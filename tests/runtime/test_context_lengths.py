import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime_fakes import QuarterCounter, WrappedCounter

from designsearch.runtime.context_lengths import BlockLengths
from designsearch.runtime.token_counter import BundledCounter

BLOCKS = st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=6)


@pytest.mark.parametrize("counter", [BundledCounter(), WrappedCounter()], ids=lambda c: c.name)
@given(blocks=BLOCKS, separator=st.sampled_from(["\n", "\n\n", "\n- ", "\n===\n"]))
def test_lengths_of_blocks_add_up(counter, blocks, separator):
    lengths = BlockLengths(counter, separator)
    assert lengths.additive
    total = lengths.alone(blocks[0]) + sum(lengths.joined(block) for block in blocks[1:])
    assert total == lengths.count(separator.join(blocks))


@pytest.mark.parametrize(
    ("counter", "separator"), [(BundledCounter(), " "), (BundledCounter(), ""), (QuarterCounter(), "\n")]
)
def test_where_they_do_not_add_up_a_block_has_its_own_length(counter, separator):
    lengths = BlockLengths(counter, separator)
    assert not lengths.additive
    assert lengths.added(["tea", "", "a red kayak"]).tolist() == [lengths.count("tea"), 0, lengths.count("a red kayak")]


def test_an_empty_block_adds_nothing():
    assert BlockLengths(WrappedCounter(), "\n").added(["", "tea", ""]).tolist() == [0, 2, 0]
    assert BlockLengths(BundledCounter(), "\n").added([]).tolist() == []


def test_what_is_remembered_stays_right_when_it_is_forgotten(monkeypatch):
    monkeypatch.setattr("designsearch.runtime.context_lengths.REMEMBERED", 2)
    lengths = BlockLengths(BundledCounter(), "\n")
    blocks = ["tea", "a cat", "one two three", "tea"]
    assert [lengths.alone(b) for b in blocks] == [lengths.count(b) for b in blocks]
