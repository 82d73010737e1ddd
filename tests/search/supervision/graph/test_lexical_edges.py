from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from supervision_histories import make_history

from designsearch.runtime.function_words import ENGLISH
from designsearch.runtime.lexical_tokens import stem_all, words
from designsearch.search.supervision.graph import lexical_edges as module
from designsearch.search.supervision.graph.lexical_edges import informative_words, lexical_edges, most_records

WORDS = "kiln glaze studio violin harbour lentil ledger the and was 猫 running runs anchor basil".split()


def brute_force(history):
    """The edges as the definition says, by comparing all pairs."""
    told = [set(stem_all([w for w in words(text) if w not in ENGLISH], "english")) for text in history.texts]
    held = Counter(word for own in told for word in own)
    told = [{word for word in own if 2 <= held[word] <= most_records(len(told))} for own in told]
    likeness = {}
    for low, high in combinations(range(len(told)), 2):
        shared = len(told[low] & told[high])
        if shared >= module.SHARED:
            value = np.float32(shared / len(told[low] | told[high]))
            if value >= np.float32(module.THRESHOLD):
                likeness[low, high] = value
    named = set()
    for row in range(len(told)):
        own = [(-value, sum(pair) - row, pair) for pair, value in likeness.items() if row in pair]
        named |= {pair for _, _, pair in sorted(own)[: module.DEGREE]}
    degree, kept = Counter(), {}
    for pair in sorted(named, key=lambda pair: (-likeness[pair], pair)):
        if all(degree[row] < module.DEGREE for row in pair):
            degree.update(pair)
            kept[pair] = likeness[pair]
    return kept


def found(history):
    edges = lexical_edges(informative_words(history))
    return dict(zip(zip(edges.low.tolist(), edges.high.tolist(), strict=True), edges.weights, strict=True))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join), max_size=40))
def test_the_edges_are_those_that_comparing_all_pairs_finds(texts):
    history = make_history(*({"text": text} for text in texts))
    assert found(history) == brute_force(history)


@pytest.mark.parametrize("work", [1, 7, 100])
def test_the_edges_do_not_depend_on_how_many_candidates_are_held_at_a_time(monkeypatch, work):
    chance = np.random.default_rng(0)
    many = [f"w{i}" for i in range(60)]
    history = make_history(*({"text": " ".join(chance.choice(many, size=6))} for _ in range(120)))
    expected = found(history)
    monkeypatch.setattr(module, "WORK", work)
    assert expected
    assert found(history) == expected == brute_force(history)


def test_no_record_has_more_than_the_most_edges():
    history = make_history(*({"text": f"kiln glaze w{i // 2}"} for i in range(10)))
    edges = lexical_edges(informative_words(history))
    degrees = np.bincount(np.concatenate([edges.low, edges.high]))
    assert degrees.max() == module.DEGREE == 8


def test_the_cap_on_a_word_grows_with_the_history_and_then_no_more():
    assert [most_records(n) for n in (0, 100, 1_000, 2_000, 5_000, 1_000_000)] == [10, 10, 10, 20, 50, 50]


def test_a_word_that_too_many_records_hold_links_nothing():
    history = make_history(*({"text": "kiln glaze"} for _ in range(11)))
    assert informative_words(history).frequencies == {}
    assert found(history) == {}


def test_one_shared_word_is_not_enough():
    assert found(make_history({"text": "kiln"}, {"text": "kiln"})) == {}


def test_function_words_and_endings_do_not_count():
    history = make_history({"text": "The kilns were glazed and hot"}, {"text": "They glaze in a kiln"})
    assert informative_words(history).frequencies == {"kiln": 2, "glaze": 2}
    assert found(history) == {(0, 1): 1.0}


def test_the_parts_of_an_address_are_no_words():
    address = "https://example.org/kiln/glaze/studio"
    assert informative_words(make_history({"text": address}, {"text": f"{address} harbour"})).frequencies == {}
