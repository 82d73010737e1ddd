from __future__ import annotations

from dataclasses import replace

from policy_llm_fakes import SESSIONS, TALK
from runtime_fakes import WordCounter, memory_of

from designsearch.runtime.episodes.states import Candidate, Cited
from designsearch.runtime.policies.notes import note_of
from designsearch.runtime.policies.observation import Observer, citable
from designsearch.runtime.services import Services


def observer(limit, entries=TALK, design=SESSIONS):
    m = memory_of(entries, design, Services(counter=WordCounter()))
    return Observer(m, limit), m


def shown(limit, *units, **more):
    return observer(limit, **more)[0].candidates([Candidate(unit, 1.0) for unit in units])


def test_units_are_shown_whole_with_ids_and_times():
    first, second = shown(16, 0, 1)
    assert first.text == (
        "time: 2024-05-01T10:00:00\n"
        "turn 1: Wednesday 2024-05-01 10:00, Ann: We took the kayak down the river\n"
        "turn 2: Wednesday 2024-05-01 10:00, Ben: Was the kayak new"
    )
    assert (first.id, second.id, first.cut) == ("E0", "E1", False)


def test_of_a_unit_longer_than_the_limit_the_turns_are_shown_that_fit():
    (event,) = shown(8, 0)
    assert [turn.number for turn in event.turns] == [1]
    assert event.text.endswith("(more of it is not shown)")


def test_the_first_turn_is_cut_where_it_alone_is_too_long_and_only_that_can_be_cited():
    entries = [{"text": "one two three four five six", "session": "a"}]
    (event,) = shown(3, 0, entries=entries)
    assert event.turns[0].cited == Cited(0, 0, len("one two three"))
    assert event.cut
    assert citable([event]) == {0: {1: Cited(0, 0, len("one two three"))}}


def test_what_an_event_is_also_found_by_gives_way_to_texts():
    events = "storage: {units: {op: events}}"
    (event,) = shown(10_000, 0, design=events)
    assert [name for name, _ in event.fields] == ["summary", "anchors", "phrase"]
    length = len(f"{TALK[0]['text']} {TALK[1]['text']}".split())
    (event,) = shown(length, 0, design=events)
    assert event.fields == ()
    assert len(event.turns) == 2


def test_of_texts_that_a_model_wrote_the_sources_are_shown_while_they_fit():
    watch, m = observer(13)
    units = replace(m.store(None).units, written=True, texts=("kayak", "tea", "sale"))
    object.__setattr__(m.store(None), "units", units)
    (first,) = watch.candidates([Candidate(unit, 1.0) for unit in (0, 1)])
    assert first.text.startswith("time: 2024-05-01T10:00:00\ntext: kayak\nturn 1: ")
    # 1 + 7 + 4 words of the first; a word of the second is left, and none of its source


def test_notes_show_what_they_cite_the_newest_first():
    watch, m = observer(20)
    notes = [note_of(m, unit, f"clue {unit}") for unit in (0, 2)]
    first, second = watch.notes(notes)
    assert (first.turns, first.cut, first.content) == ((), True, "clue 0")
    assert [turn.number for turn in second.turns] == [1, 2]


def test_a_turn_keeps_its_number_when_it_is_cited_in_part():
    watch, m = observer(100)
    whole = note_of(m, 2)
    part = type(whole)(2, (Cited(whole.cited[1].record, 0, 4),), whole.time)
    assert [(turn.number, turn.text) for turn in watch.notes([part])[0].turns] == [
        (2, "Friday 2024-05-03 10:00, Ben: Cleo")
    ]


def test_the_longer_stretch_of_a_turn_can_be_cited():
    watch, m = observer(100)
    whole = note_of(m, 2)
    part = type(whole)(2, (Cited(whole.cited[1].record, 0, 4),), whole.time)
    for order in ([part, whole], [whole, part]):
        assert citable(watch.notes(order))[2][2] == whole.cited[1]
