import pytest

from designsearch.search.training.objectives.overlong import overlong_penalty


def test_none_then_a_straight_line_then_all_of_it():
    found = overlong_penalty([0, 80, 85, 90, 100, 101, 1000], longest=100, buffer=20)
    assert found == pytest.approx([0, 0, -0.25, -0.5, -1, -1, -1], abs=1e-12)


@pytest.mark.parametrize("buffer", [0, -1, 101])
def test_a_buffer_that_does_not_fit_is_refused(buffer):
    with pytest.raises(ValueError, match=r"not in 1\.\.100"):
        overlong_penalty([1], longest=100, buffer=buffer)
