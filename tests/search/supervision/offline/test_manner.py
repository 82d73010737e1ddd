from random import Random

from hypothesis import given
from hypothesis import strategies as st

from designsearch.search.supervision.offline.manner import VERBATIM, Manner


@given(st.integers(0, 2**32))
def test_shares(seed):
    manner = Manner.of(Random(seed))
    assert 0.5 <= manner.other <= 1
    assert 0 <= manner.lost <= 1
    assert manner.names in (0.0, 0.3, 1.0)
    assert manner == Manner.of(Random(seed))


def test_manners_differ():
    assert len({Manner.of(Random(seed)) for seed in range(50)}) == 50


def test_verbatim_leaves_everything():
    assert Manner(0.0, 0.0, 1.0, echoes=False) == VERBATIM
