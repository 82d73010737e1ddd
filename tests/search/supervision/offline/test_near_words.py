import pickle
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_worlds import ALPHABET, texts

from designsearch.runtime.models.offline.words import stems_of, words_of
from designsearch.search.supervision.offline.near_words import NEIGHBOURS, NearWords

TEXTS = [
    "dogs cats horses cows goats pigs chickens ducks geese rabbits foxes wolves bears lions tigers elephants monkeys",
    "snakes lizards frogs turtles whales dolphins sharks eagles owls hawks sparrows crows spiders beetles butterflies",
    "chairs tables sofas lamps shelves drawers carpets curtains windows doors walls floors ceilings roofs chimneys",
    "doctors nurses surgeons lawyers judges teachers students bakers carpenters plumbers painters writers singers",
    "apples pears plums grapes lemons onions carrots potatoes beans lentils loaves cakes soups stews sauces spices",
    "cars trucks trains ships boats bicycles planes engines wheels brakes roads bridges tunnels harbours stations",
    "songs violins pianos drums concerts operas novels poems letters stories films paintings statues museums theatres",
    "running walking swimming climbing sleeping cooking painting writing reading singing dancing laughing crying",
    "yesterday we met Lisbon friends, Lisbon sailors near Lisbon hills",
] * 2


def test_other_words_have_another_stem_and_beginning_and_the_same_ending():
    near = NearWords(TEXTS)
    found = {word: near.near(word) for word in words_of(" ".join(TEXTS[:7])) if word.endswith("s")}
    assert "roads" in found["cars"]
    for word, others in found.items():
        assert len(others) <= NEIGHBOURS
        for other in others:
            assert other[:4] != word[:4]
            assert stems_of([other]) != stems_of([word])
            assert other.endswith("s")


def test_no_name_stands_for_a_word_and_none_for_what_occurs_once():
    near = NearWords([*TEXTS, "hapaxes"])
    others = {other for text in TEXTS for word in words_of(text) for other in near.near(word)}
    assert not others & {"lisbon", "hapaxes"}


@pytest.mark.parametrize("word", ["", "the", "abc", "Dogs", "é", "{0}", "\ud83d", "x" * 1000])
def test_what_no_word_may_stand_for(word):
    assert NearWords(TEXTS).near(word) == ()
    assert NearWords([]).near(word) == ()


def test_the_order_of_asking_does_not_matter():
    first, second = NearWords(TEXTS), pickle.loads(pickle.dumps(NearWords(TEXTS)))
    words = words_of(TEXTS[0])
    assert {w: first.near(w) for w in words} == {w: second.near(w) for w in reversed(words)}


def test_counted_words_may_be_given():
    frequency = Counter(word for text in TEXTS for word in words_of(text))
    assert NearWords(TEXTS, frequency).near("dogs") == NearWords(TEXTS).near("dogs")


@given(st.lists(texts(), max_size=4), st.text(ALPHABET, max_size=9))
@settings(max_examples=20, deadline=None)
def test_any_text_and_any_word(any_texts, word):
    assert all(other.isascii() for other in NearWords(any_texts).near(word))
