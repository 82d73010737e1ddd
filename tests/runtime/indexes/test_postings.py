import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.indexes.lexical import tokenize
from designsearch.runtime.indexes.postings import Postings

TEXTS = st.lists(st.lists(st.sampled_from("tea cat soup tram".split()), max_size=5).map(" ".join), max_size=8)


@given(TEXTS)
def test_texts_by_term(texts):
    held = Postings.of(tokenize(texts, "none", "none"))
    for term in "tea cat soup tram dog".split():
        expected = [i for i, text in enumerate(texts) if term in text.split()]
        assert held.holding(term).tolist() == expected
        assert held.frequency(term) == len(expected)
    assert held.frequencies.tolist() == [held.frequency(term) for term in held.vocabulary]


@given(TEXTS, st.lists(st.sampled_from([0.25, 0.5, 1.0]), min_size=4, max_size=4))
def test_highest_value_among_the_terms_of_a_text(texts, values):
    held = Postings.of(tokenize(texts, "none", "none"))
    terms = list(held.vocabulary)
    given_values = np.array(values[: len(terms)])
    expected = [max((given_values[held.vocabulary[t]] for t in text.split()), default=0.0) for text in texts]
    assert held.highest(np.arange(len(terms)), given_values).tolist() == expected
