import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.records import Evidence, Question
from designsearch.search.metrics.evidence import (
    evidence_coverage,
    evidence_recall,
    prepare,
    present,
    sentences,
    verbatim,
    words_of,
)
from designsearch.search.metrics.stop_words import STOP_WORDS

TEXTS = {
    "m1": "I finally bought the blue kayak. It cost 420 euros and it is hard to carry on the train!",
    "m2": "My sister and I are going to paddle on the lake in June.",
    "m3": "The neighbour asked me about the fence again.",
    "m4": "We had soup for dinner. Nothing else happened that day.",
}


@pytest.fixture(scope="module")
def history(make_history):
    return make_history(TEXTS)


def asks(*records, **more):
    return Question("q", "?", "a", evidence=tuple(Evidence(r) for r in records), **more)


def gold_of(history, *questions):
    return prepare(questions, history)


def scores(gold, text, shown, q=0):
    found = present(gold, q, text, shown)
    return evidence_recall(gold, q, found), evidence_coverage(gold, q, found)


@pytest.fixture(scope="module")
def all_of_them(history):
    return gold_of(history, asks(*TEXTS))


@pytest.fixture(scope="module")
def two(history):
    return gold_of(history, asks("m1", "m2"))


def test_whole_texts_count_whatever_the_punctuation_case_and_line_breaks(two):
    text = f"[2024-05-01] me: {TEXTS['m1'].upper()}\n\n* {TEXTS['m2'].replace(' ', chr(10))}"
    assert present(two, 0, text, {"m1", "m2"}) == [True, True]


def test_one_of_two(two):
    assert scores(two, TEXTS["m2"], {"m2"}) == (0.5, 0.0)
    assert scores(two, TEXTS["m1"] + TEXTS["m2"], {"m1", "m2"}) == (1.0, 1.0)


def test_words_without_provenance_do_not_count(two):
    assert present(two, 0, TEXTS["m1"] + TEXTS["m2"], {"m2", "m3"}) == [False, True]
    assert present(two, 0, TEXTS["m1"] + TEXTS["m2"], set()) == [False, False]


def test_provenance_without_the_words_does_not_count(two):
    assert present(two, 0, "The user owns a kayak and paddles in June.", {"m1", "m2"}) == [False, False]


def test_a_fifth_of_the_words_may_be_missing_but_no_number():
    long, short = "one two three four five six seven eight", "nine ten"
    assert verbatim(sentences(f"{long}. {short}."), words_of(long))
    assert not verbatim(sentences(f"{long}. {short} eleven."), words_of(long))
    assert not verbatim(sentences(f"{long}. {short[:4]} 10."), words_of(long))


def test_a_quote_narrows_what_is_asked_for(history):
    question = Question("q", "?", "a", evidence=(Evidence("m1", "I finally bought the blue kayak."),))
    gold = gold_of(history, question)
    assert present(gold, 0, "me: I finally bought the blue kayak", {"m1"}) == [True]
    assert present(gold, 0, "me: I finally bought a blue kayak", {"m1"}) == [False]


def test_a_record_that_the_history_lacks_is_not_present_and_is_reported(history):
    gold = gold_of(history, asks("m1"), asks("m2", "gone"))
    assert gold.missing == ((1, "gone"),)
    assert scores(gold, TEXTS["m2"], {"m2", "gone"}, q=1) == (0.5, 0.0)


def test_not_measured_without_evidence_or_answer(history):
    gold = gold_of(history, asks(), asks("m1", answerable=False))
    assert gold.measured == (False, False)
    assert scores(gold, TEXTS["m1"], {"m1"}, q=0) == (None, None)
    assert scores(gold, TEXTS["m1"], {"m1"}, q=1) == (None, None)


def test_a_record_without_words_counts_by_provenance_alone(make_history):
    gold = prepare([asks("m")], make_history({"m": "..."}))
    assert present(gold, 0, "anything", {"m"}) == [True]
    assert present(gold, 0, "anything", {"n"}) == [False]


WORDS = re.findall(r"\w+", " ".join(TEXTS.values()))
HONEST = "\n".join(TEXTS[m] for m in ("m1", "m3", "m4"))
ATTACKS = {
    "bag of the vocabulary": " ".join(sorted({w.lower() for w in WORDS})),
    "vocabulary in order of appearance": " ".join(dict.fromkeys(w.lower() for w in WORDS)),
    "stop words deleted": " ".join(w for w in WORDS if w.lower() not in STOP_WORDS),
    "everything on one line": " ".join(HONEST.split()),
    "words of a sentence reordered": " ".join(reversed(HONEST.split())),
    "gold records removed": "\n".join(TEXTS[m] for m in ("m3", "m4")),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_gain_nothing(two, attack):
    everything = set(TEXTS)
    honest = scores(two, HONEST, everything)
    assert honest == (0.5, 0.0)
    attacked = scores(two, ATTACKS[attack], everything)
    assert attacked == (honest if attack == "everything on one line" else (0.0, 0.0))


def test_removed_gold_records_gain_nothing_by_words_elsewhere(make_history):
    gold = prepare([asks("m1")], make_history({"m1": "Yes, I did.", "m2": "She said: yes, I did. And then?"}))
    assert scores(gold, "She said: yes, I did. And then?", {"m2"}) == (0.0, 0.0)


@given(st.text(max_size=80), st.text(max_size=80), st.sets(st.sampled_from([*TEXTS, "other"])))
def test_more_text_never_lowers_presence(all_of_them, before, after, shown):
    gold = all_of_them
    base = present(gold, 0, HONEST, shown)
    more = present(gold, 0, f"{before}\n{HONEST}\n{after}", shown | {"m2"})
    assert all(m or not b for b, m in zip(base, more, strict=True))


@given(st.permutations(list(TEXTS)))
def test_the_order_of_the_units_plays_no_part(all_of_them, order):
    text = "\n".join(TEXTS[m] for m in order)
    assert present(all_of_them, 0, text, set(TEXTS)) == [True] * len(TEXTS)


def test_hundreds_of_long_contexts_take_less_than_a_second_or_so(make_history):
    texts = {f"m{i}": f"Sentence number {i} about the boat. It was day {i} of a long summer trip." for i in range(700)}
    gold = prepare([asks(f"m{i}") for i in range(700)], make_history(texts))
    context = "\n".join(list(texts.values())[:250])
    shown = {f"m{i}" for i in range(250)} | {f"m{i}" for i in range(700)}
    start = time.process_time()
    found = [present(gold, q, context, shown)[0] for q in range(700)]
    assert time.process_time() - start < 5
    assert sum(found) == 250
