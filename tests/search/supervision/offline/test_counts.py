from rule_worlds import WORLD, all_of, plainly
from supervision_histories import make_history

from designsearch.search.supervision.offline.counts import MOST, count


def test_all_records_that_speak_of_it():
    sketches = all_of(count, rows=[0, 4])
    assert sketches
    for sketch in sketches:
        assert sketch.plan.answer == "2"
        assert sketch.plan.records == (WORLD.ids[0], WORLD.ids[4])
        assert plainly(sketch) == "on how many occasions did I speak of lamp?"


def test_within_a_time_where_others_are_elsewhere():
    kilns = [{"text": f"The kiln {word} again.", "time": f"2024-0{month}-0{day}"} for word, month, day in
             (("smoked", 1, 1), ("cracked", 1, 2), ("sang", 3, 1))]  # fmt: skip
    history = make_history(*kilns)
    found = {plainly(one): one.plan.answer for one in all_of(count, history, rows=[0, 1])}
    assert found == {"on how many occasions in January 2024 did I speak of kiln?": "2"}
    assert all_of(count, history, rows=[0, 2]) == []
    days = make_history(*(one | {"time": "2024-01-02"} for one in kilns[:2]), kilns[0] | {"time": "2024-01-09"})
    assert {plainly(one) for one in all_of(count, days, rows=[0, 1])} == {
        "on how many occasions on January 2, 2024 did I speak of kiln?"
    }


def test_neither_adjectives_nor_verbs_nor_those_who_talk_are_counted():
    for text in ("It is thoughtful, immediate", "Meeting Melanie", "It sounds, he attaches", "It was 2024, 1999"):
        history = make_history(*({"text": text.replace("immediate", "grateful"), "author": "Melanie"} for _ in "ab"))
        assert all_of(count, history) == []


def test_more_than_can_be_counted():
    history = make_history(*({"text": f"A kiln {i}.", "time": "2024-01-01"} for i in range(MOST + 1)))
    assert all_of(count, history) == []


def test_what_needs_the_widest_time_is_asked_for():
    texts = (("kiln and piano", "2024-01-01"), ("kiln and piano", "2024-01-02"), ("piano", "2024-05-01"))
    history = make_history(*({"text": f"A {text}.", "time": time} for text, time in texts))
    assert {plainly(one) for one in all_of(count, history, rows=[0, 1])} == {
        "on how many occasions did I speak of kiln?"
    }


def test_a_fact_cites_where_the_whole_name_stands():
    history = make_history(
        {"text": "The Quarry is closed. Blue Quarry opened.", "time": "2024-01-01"},
        {"text": "Blue Quarry again, and Blue paint.", "time": "2024-02-01"},
    )
    for sketch in all_of(count, history):
        for fact in sketch.plan.facts:
            (citation,) = fact.citations
            assert "Blue Quarry" in citation.quote or "Blue Quarry" not in fact.statement
