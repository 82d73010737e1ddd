from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from rule_worlds import WORLD, around, odd_histories
from supervision_histories import make_history

from designsearch.search.supervision.materials import source_of
from designsearch.search.supervision.offline.manner import VERBATIM, Manner
from designsearch.search.supervision.offline.sketch import Slot
from designsearch.search.supervision.offline.surroundings import stems_in
from designsearch.search.supervision.offline.topics import topic, worded


def test_telling_phrases_in_order_of_place():
    phrases = topic(around(), source_of(WORLD, 0), Random(1), 3)
    assert [phrase.text for phrase in phrases] == ["green harbour lamp", "Teresa Quill"]


def test_what_must_not_be_said_is_not():
    assert topic(around(), source_of(WORLD, 0), Random(1), 3, avoid="teresa quill") is None


def test_no_phrase_says_what_another_says_too():
    history = make_history({"text": "The walnut harvest. A walnut! This harvest, and the violin, and the violins."})
    for seed in range(20):
        phrases = topic(around(history), source_of(history, 0), Random(seed), 6)
        stems = [stems_in(phrase.text) for phrase in phrases]
        assert not any(a <= b for a in stems for b in stems if a is not b)


@given(odd_histories(), st.integers(0, 99), st.integers(2, 6))
@settings(max_examples=80, deadline=None)
def test_words_of_a_slot(history, seed, number):
    world = around(history)
    for row in range(len(history)):
        phrases = topic(world, source_of(history, row), Random(seed), number)
        if phrases is None:
            continue
        assert 2 <= len(phrases) <= number
        fixed = worded(world, Slot(row, phrases, fixed=True), VERBATIM, Random(seed))
        assert all(phrase.text in fixed for phrase in phrases)
        avoid = phrases[0].words[0].casefold()
        said = worded(world, Slot(row, phrases, avoid), Manner.of(Random(seed)), Random(seed))
        assert avoid not in said.casefold()
        assert said == worded(world, Slot(row, phrases, avoid), Manner.of(Random(seed)), Random(seed))


def test_in_the_records_own_words():
    phrases = topic(around(), source_of(WORLD, 1), Random(1), 4)
    said = worded(around(), Slot(1, phrases), VERBATIM, Random(0))
    assert "narrow violin case" in said
    assert "Porto" in said


def test_too_little_is_left():
    phrases = topic(around(), source_of(WORLD, 1), Random(1), 4)
    assert worded(around(), Slot(1, phrases), Manner(1.0, 1.0, 0.0, echoes=False), Random(0)) == ""


def test_the_names_of_those_who_talk_are_lent_by_no_answer():
    history = make_history(
        {"text": "The walnut harvest and the brass ladder.", "author": "Ana", "session": "s"},
        {"text": "Thank you Ana. Your juniper hedge.", "author": "Ben", "session": "s"},
    )
    world = around(history)
    phrases = topic(world, source_of(history, 0), Random(1), 3)
    echoing = Manner(0.0, 0.0, 1.0, echoes=True)
    said = {worded(world, Slot(0, phrases), echoing, Random(seed)) for seed in range(60)}
    assert any("juniper hedge" in one for one in said)
    assert not any("Ana" in one for one in said)
