from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rule_worlds import ALPHABET, texts

from designsearch.search.supervision.offline.function_words import is_function
from designsearch.search.supervision.offline.phrases import LONGEST, phrases_in


def said(text):
    return [phrase.text for phrase in phrases_in(text)]


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("The green harbour lamp was mended by Teresa Quill.", ["green harbour lamp", "Teresa Quill"]),
        ("She's thinking of Maya's violin.", ["Maya's violin"]),
        ("Sounds amazing, the orchard reminds me of home!", ["amazing", "orchard", "home"]),
        ("We paid 711 dollars and 57 percent of 2024.", []),
        ("Is the kiln warm? The glaze is.", ["glaze"]),
        ("[image: a photo of a kiln] Lovely glaze", ["glaze"]),
        ("Sender: Otto\nSubject: the boathouse", ["Otto", "boathouse"]),
        ("Der Ofen wurde von der Nachbarin repariert.", ["Ofen", "Nachbarin repariert"]),
        ("one two three", []),
        ("", []),
    ],
)
def test_phrases(text, phrases):
    assert said(text) == phrases


def test_a_number_stays_after_a_name():
    assert said("I love the iPhone 13.") == ["iPhone 13"]
    assert said("I love the kiln 13.") == ["kiln"]


@given(st.one_of(texts(), st.text(ALPHABET, max_size=300)))
def test_places_and_lengths(text):
    for phrase in phrases_in(text):
        assert 1 <= len(phrase.words) <= LONGEST
        assert text[phrase.start : phrase.end].split() == phrase.text.split()
        assert phrase.sentence[0] <= phrase.start < phrase.end <= phrase.sentence[1] <= len(text)
        assert text[slice(*phrase.sentence)].strip()
        assert not any(is_function(word) for word in phrase.words)


@pytest.mark.parametrize(
    "piece", ["kiln ", "a.", "{0}", "[", "a@", "Ab:", "שלום", "x", "https://", "'", "-", "\ud83d "]
)
def test_long_lines_are_read_quickly(piece):
    began = perf_counter()
    phrases_in(piece * (100_000 // len(piece)))
    assert perf_counter() - began < 2
