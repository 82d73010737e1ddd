import pytest
from hypothesis import given, settings
from near_fakes import TEXTS, THRESHOLDS, similarity

from designsearch.search.supervision.near.seen import Seen


@settings(max_examples=200, deadline=None)
@given(TEXTS, THRESHOLDS)
def test_the_closest_is_the_most_similar_of_those_seen_the_earliest_of_equals(texts, threshold):
    seen = Seen(threshold)
    for number, text in enumerate(texts):
        near = [(-similarity(text, texts[i]), i) for i in range(number)]
        near = [(i, -value) for value, i in sorted(near) if -value >= threshold]
        assert seen.closest(text) == (near[0] if near else None)
        assert seen.add(text) == number
    assert len(seen) == len(texts)


def test_a_text_without_words_is_like_no_other():
    seen = Seen(0.5)
    seen.add("")
    assert seen.closest("") is None


@pytest.mark.parametrize("threshold", [0, -1, 1.01])
def test_a_threshold_out_of_range_is_refused(threshold):
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        Seen(threshold)


def test_spelling_and_order_make_no_difference():
    seen = Seen(1.0)
    seen.add("When did Ana fire the KILN?")
    assert seen.closest("the kiln: when did ana fire") == (0, 1.0)
