"""Key phrases of events, and the labels made of them."""

from __future__ import annotations

from runtime_fakes import history_of

from designsearch.runtime.indexes.static_embeddings import StaticEmbedder
from designsearch.runtime.operators.storage.event_views.phrase import Phrase, key_phrases, labels
from designsearch.runtime.operators.storage.event_views.sentences import read_events

TALK = [
    {"text": "I bought a red kayak, Ben's favourite.", "author": "Ana", "time": "2024-05-06"},
    {"text": "The kayak's colour is a river red!", "author": "Ben", "time": "2024-05-06"},
    {"text": "It will see the mountain river.", "author": "Ana", "time": "2024-05-07"},
]


def read(entries):
    return read_events(history_of(entries), [list(range(len(entries)))], StaticEmbedder())


def phrases(entries, count=9):
    return key_phrases(read(entries), 1, count, StaticEmbedder())[0]


def test_runs_between_function_words_verbs_names_and_punctuation():
    assert {phrase.text for phrase in phrases([TALK[0], {"text": "It is.", "author": "Ben"}])} == {
        "red kayak",
        "favourite",
    }


def test_who_said_it_first_and_no_word_twice():
    made = phrases(TALK)
    assert Phrase("red kayak", "Ana") in made or Phrase("kayak's colour", "Ben") in made
    assert sum("kayak" in phrase.text for phrase in made) == 1
    assert sum("river" in phrase.text for phrase in made) == 1


def test_the_nearest_to_the_event_stand_first():
    made = [p.text for p in phrases(["Kayak trip. River kayak trip on a kayak. Tax form."])]
    assert made.index("Tax form") == len(made) - 1


def test_a_phrase_ends_after_four_words():
    assert [p.text for p in phrases(["cold dark deep wild river water"])] in (
        ["cold dark deep wild", "river water"],
        ["river water", "cold dark deep wild"],
    )


def test_a_label_names_who_when_and_what():
    made = labels(read(TALK), [[Phrase("red kayak", "Ana"), Phrase("river", "Ana")]])
    assert made == ["Ana, Ben, 2024-05-06: red kayak; river"]


def test_a_label_of_what_is_known():
    assert labels(read(["kayak"]), [[Phrase("kayak", "")]]) == ["kayak"]
    assert labels(read([{"text": "It is.", "author": "Ana"}]), [[]]) == ["Ana"]
    assert labels(read([" "]), [[]]) == [""]
