from __future__ import annotations

import pytest
from policy_llm_fakes import STOP, note, search, skip

from designsearch.runtime.episodes.states import Add, Cited, Note, Skip, Stop
from designsearch.runtime.policies.tools import LONGEST_CONTENT, LONGEST_QUERY, RefusedCallsError, read_calls

SHOWN = {3: {1: Cited(10, 0, 5), 2: Cited(11, 2, 9)}, 4: {1: Cited(12, 0, 3)}}
TIMES = {3: "2024-05-01", 4: ""}
ALL = ("search", "stop", "add", "skip")


def read(*calls, offered=ALL):
    return read_calls(calls, offered, SHOWN, TIMES)


def test_notes_take_time_and_evidence_from_the_history():
    made = read(note(3, 2, 1, 2, content=" b \n", time="1999"), note(4, 1))
    assert made == Add(
        (Note(3, (Cited(10, 0, 5), Cited(11, 2, 9)), "2024-05-01", "b"), Note(4, (Cited(12, 0, 3),), "", "a clue"))
    )


@pytest.mark.parametrize("written", ["E3", " e3 ", "[E3]", "Event E3:"])
def test_an_id_is_known_as_models_write_it(written):
    call = note(3, 1)
    call["arguments"]["event_id"] = written
    assert read(call).notes[0].unit == 3


def test_the_other_actions():
    assert read(skip("dull")) == Skip("dull")
    assert read(STOP) == Stop()
    made = read(search("  the \n kayak "))
    assert (made.query.kind, made.query.text, made.source) == ("question", "the kayak", "model")
    assert len(read(search("x" * 5000)).query.text) == LONGEST_QUERY


def test_a_clue_without_end_is_cut_for_every_later_request_shows_it():
    (made,) = read(note(3, 1, content=" " + "x" * 1_000_000)).notes
    assert made.content == "x" * LONGEST_CONTENT
    assert read(skip("x" * 1_000_000)) == Skip("x" * LONGEST_CONTENT)


def test_each_wrong_note_is_told_and_the_others_are_known():
    with pytest.raises(RefusedCallsError) as caught:
        read(note(5, 1), note(3, 1), note(3, 9), note(4))
    assert caught.value.reasons == (
        "note 1: there is no event of that id; the events are E3, E4",
        "note 3: E3 shows no turn 9; it shows the turns 1, 2",
        "note 4: it cites no turn; E4 shows the turns 1",
    )
    assert [n.unit for n in caught.value.notes] == [3]


@pytest.mark.parametrize("calls", [[], [STOP], [{"tool": "drop", "arguments": {}}]])
def test_only_what_is_offered_can_be_called(calls):
    with pytest.raises(RefusedCallsError, match="only add_note, skip_extraction can be called here"):
        read(*calls, offered=("add", "skip"))


@pytest.mark.parametrize("written", ["3", "E3 and E4", "E33", "", "SE3"])
def test_an_id_that_names_no_one_event_is_told(written):
    call = note(3, 1)
    call["arguments"]["event_id"] = written
    with pytest.raises(RefusedCallsError, match="there is no event of that id; the events are E3, E4"):
        read(call)
