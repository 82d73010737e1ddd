import pytest
from runtime_fakes import call, ranked

RANKING = ranked({3: 0.9, 1: 0.5}, {2: 7.0})


def test_score():
    assert call("features", "score", RANKING, None, None).tolist() == [0.9, 0.5, 7.0]


def test_rank():
    assert call("features", "rank", RANKING, None, None).tolist() == pytest.approx([1 / 61, 1 / 62, 1 / 61])
