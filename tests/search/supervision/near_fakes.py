"""Small texts, and their similar pairs by comparing all."""

from hypothesis import strategies as st

from designsearch.runtime.lexical_tokens import words

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
