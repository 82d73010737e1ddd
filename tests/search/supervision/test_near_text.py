import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from designsearch.runtime.lexical_tokens import words
from designsearch.search.supervision import near_join
from designsearch.search.supervision.near_sets import near_groups
from designsearch.search.supervision.near_text import Seen, near_duplicates
from designsearch.search.supervision.word_sets import WordSets

TEXTS = st.lists(
    st.lists(st.sampled_from("a b c d e f gg hh iii jjj 猫".split()), max_size=9).map(" ".join), max_size=16
)
THRESHOLDS = st.sampled_from([0.1, 0.2, 1 / 3, 0.5, 0.6, 2 / 3, 0.75, 0.8, 0.9, 1.0])


def similarity(one, two):
    own, other = set(words(one)), set(words(two))
    return len(own & other) / len(own | other) if own and other else 0.0


def brute_force(texts, threshold):
    pairs = ((i, j, similarity(texts[i], texts[j])) for j in range(len(texts)) for i in range(j))
    return sorted((i, j, value) for i, j, value in pairs if value >= threshold)


@settings(max_examples=300, deadline=None)
@given(TEXTS, THRESHOLDS)
def test_the_pairs_are_those_that_comparing_all_finds(texts, threshold):
    assert near_duplicates(texts, threshold) == brute_force(texts, threshold)


@settings(max_examples=200, deadline=None)
@given(TEXTS, THRESHOLDS)
def test_the_groups_are_chains_of_such_pairs(texts, threshold):
    pairs = brute_force(texts, threshold)
    ends = [i for i, _, _ in pairs], [j for _, j, _ in pairs]
    size = len(texts) + 1
    chains = connected_components(csr_array((np.ones(len(pairs)), ends), shape=(size, size)), directed=False)[1]
    sets = WordSets.of(texts)
    label = near_groups(sets, threshold)
    own = sets.of_text.tolist()
    for i in range(len(texts)):
        for j in range(i):
            if own[i] >= 0 and own[j] >= 0:
                assert (label[own[i]] == label[own[j]]) == (chains[i] == chains[j])


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


@pytest.mark.parametrize("at_once", [1, 5, 50])
def test_nothing_depends_on_how_many_pairs_are_held_at_a_time(monkeypatch, at_once):
    chance = np.random.default_rng(0)
    texts = [" ".join(chance.choice(list("abcdefghij"), size=6)) for _ in range(60)]
    expected = brute_force(texts, 0.6)
    monkeypatch.setattr(near_join, "AT_ONCE", at_once)
    assert expected
    assert near_duplicates(texts, 0.6) == expected


def test_a_text_without_words_is_like_no_other():
    assert near_duplicates(["", "", "...", "..."], 0.5) == []
    seen = Seen(0.5)
    seen.add("")
    assert seen.closest("") is None


def test_spelling_and_order_make_no_difference():
    assert near_duplicates(["When did Ana fire the KILN?", "the kiln: when did ana fire"], 1.0) == [(0, 1, 1.0)]


def test_a_template_in_thousands_of_texts_is_no_comparison_of_all_pairs(monkeypatch):
    compared = []
    similar = near_join.Join.similar
    monkeypatch.setattr(
        near_join.Join, "similar", lambda self, *pair: compared.append(len(pair[0])) or similar(self, *pair)
    )
    sets = WordSets.of(
        [f"please take the blue pill at breakfast with some water today number {i}" for i in range(3000)]
    )
    assert set(near_groups(sets, 0.8).tolist()) == {0}
    assert sum(compared) < 20 * 3000


@pytest.mark.parametrize("threshold", [0, -1, 1.01])
def test_a_threshold_out_of_range_is_refused(threshold):
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        near_duplicates(["a"], threshold)
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        Seen(threshold)
