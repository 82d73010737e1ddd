"""Questions made from typed spans and key phrases."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runtime_fakes import history_of

from designsearch.runtime.indexes.static_embeddings import StaticEmbedder
from designsearch.runtime.operators.storage.event_views.anchors import anchors
from designsearch.runtime.operators.storage.event_views.phrase import Phrase
from designsearch.runtime.operators.storage.event_views.sentences import read_events


def asked(entries, phrases=(), most=8):
    history = history_of(entries, author="Ana", time="2024-05-06")
    read = read_events(history, [list(range(len(history)))], StaticEmbedder())
    return anchors(read, [list(phrases)], most)[0]


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("I went to the river festival yesterday.", "When did Ana go to the river festival?"),
        ("I paddled my kayak on 3 May 2024.", "When was it that Ana paddled Ana's kayak?"),
        ("The red kayak costs $300.", "How much is it that The red kayak costs?"),
        ("Wow, I ran along the river for 12 km!", "How many kms did Ana run along the river?"),
        ('I read a novel called "The Long Tide".', "Which title is it that Ana read a novel called?"),
        ("I bought tents, ropes and lamps for the trip.", "What did Ana buy for the trip?"),
        ("My boat is moored in Lisbon.", "Who or what is it that Ana's boat is moored?"),
    ],
)
def test_a_span_is_asked_for_in_the_words_of_its_sentence(said, question):
    assert asked([said])[0] == question


@pytest.mark.parametrize(
    "said",
    [
        "It rained.",
        "Did you paddle the kayak yesterday?",
        "Yesterday.",
        "The Lisbon trip was a long adventure.",
        "We like tents and ropes in summertime.",
    ],
)
def test_no_question_is_made_of_what_says_too_little(said):
    assert asked([said]) == []


def test_phrases_fill_what_room_is_left():
    phrases = [Phrase("red kayak", "Ana"), Phrase("river", "")]
    said = ["I went to the river festival yesterday."]
    assert asked(said, phrases)[1:] == ["What did Ana say about red kayak?", "What was said about river?"]
    assert len(asked(said, phrases, most=2)) == 2


def test_one_sentence_makes_two_questions_at_most():
    assert len(asked(["In Lisbon I paid $300 on 3 May 2024 for a 12 km trip by kayak."])) == 2


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(st.sampled_from('I$3 "aM.,?\nand我-'), max_size=60), min_size=1, max_size=5), st.integers(1, 4))
def test_any_text_makes_few_questions_each_once_on_a_line_of_its_own(texts, most):
    made = asked(texts, [Phrase("tea", "Ana")], most)
    assert len(made) == len(set(made)) <= most
    assert all(question.endswith("?") and "\n" not in question for question in made)
