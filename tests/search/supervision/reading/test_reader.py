"""The blind reader by rules: what it answers, what it cites, and when it answers nothing."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plan_makers import source

from designsearch.search.metrics.typed import equal
from designsearch.search.supervision.contracts import BlindAsk, Reading, Source
from designsearch.search.supervision.reading.reader import OfflineReader
from designsearch.search.supervision.reading.soft_words import SoftWords

RECORDS = (
    source("a", "Bought a bicycle from Otto for 120 euros.", "2024-03-05T10:00"),
    source("b", "Yesterday we repainted the boathouse.", "2024-03-20T10:00"),
    source("c", "Today the foghorn was replaced.", "2024-04-01T10:00"),
    source("d", "Otto has adopted a kitten called Momo.", "2024-04-03T10:00"),
    source("e", "Otto now works in the bakery on Grennel.", "2024-04-04T10:00"),
    source("f", "Packed rope, soap and tea for the crossing.", "2024-05-01T10:00", "Pia"),
    source("g", "Packed soap, twine and canvas for the crossing.", "2024-05-02T10:00", "Olof"),
    source("h", "Rowed out to Skarrow before breakfast.", "2024-05-03T10:00"),
    source("i", "Rowed out to Skarrow with the mail.", "2024-05-09T10:00"),
    source("j", 'Pia lent me "The Tin Orchard" last week.', "2024-05-12T10:00"),
    source("k", "The Undine landed 12 kg of wool.", "2024-05-13T10:00"),
    source("l", "The Undine landed 30 kg of flour.", "2024-05-14T10:00"),
)
READER = OfflineReader()


def read(question: str, wanted: str = "text", records=RECORDS) -> Reading:
    return READER.read([BlindAsk(question, wanted, tuple(records), "2024-06-01")])[0]


@pytest.mark.parametrize(
    ("question", "wanted", "answer", "records"),
    [
        ("How much did Ulla pay for the bike?", "number", "120 eur", "a"),
        ("Who sold Ulla the bike?", "text", "Otto", "a"),
        ("On what date was the painting of the boathouse?", "date", "2024-03-19", "b"),
        ("How many days lay between the painting of the boathouse and the replacement of the foghorn?", "number", 13,
         "bc"),
        ("Which came first, the replacement of the foghorn or the painting of the boathouse?", "text",
         "the painting of the boathouse", "bc"),
        ("On which islet is the workplace of whoever adopted a cat?", "text", "Grennel", "de"),
        ("What did both Pia and Olof pack for their crossings?", "list", ["soap"], "fg"),
        ("What did Pia pack for the crossing?", "list", ["rope", "soap", "tea"], "f"),
        ("How many times did Ulla row to Skarrow?", "number", 2, "hi"),
        ("How many times did Ulla row to Skarrow in early May 2024?", "number", 2, "hi"),
        ("Which book did Ulla borrow from Pia?", "text", "The Tin Orchard", "j"),
        ("How many kilos did the Undine land in total?", "number", "42 kg", "kl"),
        ("What is the difference between the flour and the wool that the Undine landed?", "number", "18 kg", "kl"),
        ("Did Otto adopt a cat?", "boolean", True, "d"),
        ("On which date did Ulla speak of the boathouse?", "date", "2024-03-20", "b"),
        ("On which date did I speak of the boathouse?", "date", "2024-03-20", "b"),
        ("Which title did I mention when talking about what Pia lent?", "text", "The Tin Orchard", "j"),
        ("Which place did I mention in connection with the mail?", "text", "Skarrow", "i"),
        ("Whom did I mention when talking about a bicycle for 120 euros?", "text", "Otto", "a"),
    ],
)  # fmt: skip
def test_a_question_is_answered_and_its_records_cited(question, wanted, answer, records):
    reading = read(question, wanted)
    assert reading.answerable
    assert equal(reading.answer, answer, wanted), reading.answer
    assert set(records) <= set(reading.citations)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How much did Ulla pay for the piano?", "number"),
        ("How much did Bertil pay for the bike?", "number"),
        ("Which river did Ulla swim across?", "text"),
        ("On what date was the wedding of Pia?", "date"),
        ("How many days lay between the painting of the boathouse and the wedding of Pia?", "number"),
        ("Which came first, the wedding of Pia or the painting of the boathouse?", "text"),
        ("How many times did Ulla ride a camel?", "number"),
        ("?", "text"),
        ("", "text"),
    ],
)
def test_what_no_record_says_is_not_answered(question, wanted):
    assert read(question, wanted) == Reading()


def test_of_two_things_together_a_record_has_to_say_both():
    both = "On which date did Ulla speak of the {} together with the {}?"
    assert read(both.format("bicycle", "euros"), "date").answer == "2024-03-05"
    assert not read(both.format("bicycle", "foghorn"), "date").answerable


def test_what_was_spoken_of_before_is_found_too():
    reading = read("After speaking of the boathouse, which name did Ulla mention when talking about the kitten?")
    assert reading.answer in ("Otto", "Momo")
    assert set(reading.citations) == {"b", "d"}
    without = [one for one in RECORDS if one.record != "b"]
    question = "After speaking of the boathouse, which name did Ulla mention when talking about the kitten?"
    assert not read(question, "text", without).answerable


@pytest.mark.parametrize("missing", ["d", "e"])
def test_a_bridge_needs_both_of_its_records(missing):
    kept = [one for one in RECORDS if one.record != missing]
    reading = read("On which islet is the workplace of whoever adopted a cat?", "text", kept)
    assert reading.answer != "Grennel"


def test_two_records_that_answer_as_well_and_differ_answer_nothing():
    rival = source("z", "Bought a bicycle from Pia for 80 euros.", "2024-03-07T10:00")
    assert not read("How much did Ulla pay for the bike?", "number", [RECORDS[0], rival]).answerable


def test_the_latest_is_taken_where_it_is_asked_for():
    later = source("z", "Otto now works in the library on Tollin.", "2024-05-30T10:00")
    reading = read("On which islet does Otto currently work?", "text", [RECORDS[4], later])
    assert (reading.answer, reading.citations) == ("Tollin", ("z",))


def test_many_asks_are_read_as_each_alone_and_in_any_order_of_records():
    asks = [BlindAsk(f"How much did Ulla pay for the bike in {year}?", "number", RECORDS) for year in (2023, 2024)]
    asks += [BlindAsk("Who sold Ulla the bike?", "text", tuple(reversed(RECORDS)), "2024-06-01")]
    together = OfflineReader().read(asks)
    assert together == [OfflineReader().read([ask])[0] for ask in asks]
    assert together[2].citations == ("a",)


def test_words_of_a_history_weigh_by_their_rarity():
    texts = ["The keeper wrote a letter."] * 40 + ["The keeper saw a comet."]
    common, rare = SoftWords(texts), SoftWords(texts)
    assert common.weights(common.numbers(["letter"]))[0] < 0.2
    assert rare.weights(rare.numbers(["comet"]))[0] > 0.9


ODD = st.one_of(
    st.text(max_size=300),
    st.sampled_from(
        ["\u202eאבג דה", "🙂🙂🙂", "a" * 50_000, "and , or " * 2_000, "1 2 3 " * 3_000, "\n\n\n", "\ud800"]
    ),
)


@settings(max_examples=60, deadline=None)
@given(ODD, st.lists(ODD, max_size=4), st.sampled_from(["text", "number", "date", "boolean", "list"]))
def test_odd_texts_are_read_in_bounded_time(question, texts, wanted):
    records = tuple(Source(f"o{i}", i, text, "2024-01-01", "x") for i, text in enumerate(texts))
    started = perf_counter()
    (reading,) = OfflineReader().read([BlindAsk(question, wanted, records, None)])
    assert perf_counter() - started < 5
    assert set(reading.citations) <= {record.record for record in records}
    assert reading.answerable == (reading.answer is not None)
