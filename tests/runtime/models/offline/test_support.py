from datetime import date

import pytest

from designsearch.runtime.models.offline.abstain import is_supported
from designsearch.runtime.models.offline.question import read_question
from designsearch.runtime.models.offline.reading import read_context
from designsearch.runtime.models.offline.support import ranked_support


def ranked(question, context, as_of=None):
    return ranked_support(read_question(question, as_of), read_context(context))


def test_the_sentence_with_the_rarer_words_is_best():
    best = ranked("Where is the blue kettle?", "The blue sky. The blue sea. The kettle is on the stove.")[0]
    assert best.sentence.text == "The kettle is on the stove."
    assert best.matched == {"kettl"}


def test_the_speaker_asked_about_is_preferred():
    context = "[2024-03-05] Ana: I bought a canoe.\n[2024-03-06] Ben: I bought a canoe."
    assert ranked("What did Ben buy?", context)[0].sentence.author == "Ben"
    assert ranked("What did Ana buy?", context)[0].sentence.author == "Ana"


def test_the_user_is_preferred_where_they_ask_about_themselves():
    context = "assistant: The canoe is a good idea.\nuser: The canoe is a good idea."
    assert ranked("When did I like the canoe idea?", context)[0].sentence.author == "user"


def test_a_named_time_decides_between_equal_sentences():
    context = "[2024-03-05] Ana: I swam in the lake.\n[2024-06-07] Ana: I swam in the lake."
    best = ranked("Where did Ana swim on June 7?", context, date(2024, 8, 1))[0]
    assert best.sentence.day == date(2024, 6, 7)


def test_ties_stay_in_order_and_scores_are_shares():
    found = ranked("Who likes tea?", "Tea. Tea. Tea.")
    assert [s.sentence.item for s in found] == [0, 0, 0]
    assert all(0 <= s.score <= 1.5 for s in found)
    assert ranked("Who likes tea?", "") == []


@pytest.mark.parametrize(
    ("question", "context", "supported"),
    [
        ("What did Ana buy?", "[2024-03-05] Ana: I bought a canoe.", True),
        ("What did Ana buy?", "[2024-03-05] Ben: I bought a canoe.", False),
        ("What did Ana buy?", "[2024-03-05] Ben: You bought a canoe, Ana!", True),
        ("What did Ana paint?", "[2024-03-05] Ben: It rained.", False),
    ],
)
def test_support_depends_on_words_and_on_who_speaks_of_whom(question, context, supported):
    asked = read_question(question, None)
    assert is_supported(asked, ranked_support(asked, read_context(context))) is supported


def test_more_unrelated_sentences_ask_for_more_words_in_common():
    question = "Which violin teacher recommended the concert hall tickets to Ines?"
    asked = read_question(question, None)
    few = read_context("[2024-03-05] Ana: The tickets came.")
    many = read_context("[2024-03-05] Ana: The tickets came.\n" + "[2024-03-06] Ana: It rained here.\n" * 400)
    assert is_supported(asked, ranked_support(asked, few))
    assert not is_supported(asked, ranked_support(asked, many))
