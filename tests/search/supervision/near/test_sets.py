import numpy as np
import pytest
from hypothesis import given, settings
from near_fakes import TEXTS, THRESHOLDS, brute_force
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from designsearch.search.supervision.near import join as near_join
from designsearch.search.supervision.near.sets import near_groups
from designsearch.search.supervision.near.word_sets import WordSets


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


@pytest.mark.parametrize("at_once", [1, 5, 50])
def test_nothing_depends_on_how_many_pairs_are_held_at_a_time(monkeypatch, at_once):
    chance = np.random.default_rng(0)
    sets = WordSets.of([" ".join(chance.choice(list("abcdefghijklmnop"), size=6)) for _ in range(60)])
    expected = near_groups(sets, 0.6).tolist()
    monkeypatch.setattr(near_join, "AT_ONCE", at_once)
    assert 1 < len(set(expected)) < len(sets)
    assert near_groups(sets, 0.6).tolist() == expected


def test_a_text_without_words_is_in_no_set():
    assert WordSets.of(["", "...", "a b"]).of_text.tolist() == [-1, -1, 0]


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
        near_groups(WordSets.of(["a"]), threshold)
