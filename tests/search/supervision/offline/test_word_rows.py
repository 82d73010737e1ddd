import pickle
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rule_worlds import texts

from designsearch.runtime.models.offline.words import words_of
from designsearch.search.supervision.offline.surroundings import stems_in
from designsearch.search.supervision.offline.word_rows import WordRows


@given(st.lists(texts(), max_size=6), st.data())
def test_same_as_looking_through_every_text(all_texts, data):
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=len(all_texts), max_size=len(all_texts))), bool)
    rows = WordRows(all_texts, allowed)
    held = [stems_in(text) if may else frozenset() for text, may in zip(all_texts, allowed, strict=True)]
    for stem in {"nothing", *(stem for stems in held for stem in stems)}:
        expected = [row for row, stems in enumerate(held) if stem in stems]
        assert rows.holding(stem) == expected
        assert rows.size(stem) == len(expected)
    assert rows.frequency == Counter(word for text in all_texts for word in words_of(text))


def test_kept_and_read_again():
    rows = pickle.loads(pickle.dumps(WordRows(["a red kiln", "two kilns", "lamp"], np.array([True, True, False]))))
    assert rows.holding("kiln") == [0, 1]
    assert rows.holding("lamp") == []
    assert rows.holding("two") == [1]
