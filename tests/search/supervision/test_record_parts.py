import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from near_fakes import brute_force
from supervision_histories import histories, make_history

from designsearch.dsl.problems import UserError
from designsearch.search.supervision.record_parts import NOWHERE, split_records

SHARES = {"train": 0.5, "validation": 0.3, "locked": 0.2}
LONG = "fired nine bowls with the celadon glaze in Delft on Monday"


def sessions(count, size=4):
    return make_history(*({"text": f"note number n{i}", "session": f"s{i // size}"} for i in range(count * size)))


def test_the_shares_are_reached_and_conversations_stay_whole():
    history = sessions(40)
    parts = split_records(history, SHARES, seed=1)
    assert parts.names == ("train", "validation", "locked")
    assert parts.shares == pytest.approx((0.5, 0.3, 0.2), abs=0.03)
    assert (parts.codes.dtype, parts.notes) == (np.int8, ())
    assert all(len(set(parts.codes[i : i + 4])) == 1 for i in range(0, 160, 4))
    assert sum(parts.rows_of(part).sum() for part in parts.names) == 160


def test_every_part_covers_the_whole_time():
    codes = split_records(sessions(80), SHARES, seed=1).codes
    assert all(set(quarter) == {0, 1, 2} for quarter in np.split(codes, 4))


def test_the_division_follows_the_seed():
    history = sessions(40)
    one, again, other = (split_records(history, SHARES, seed=seed).codes.tolist() for seed in (1, 1, 2))
    assert one == again != other


def test_parts_that_are_not_asked_for_are_left_out():
    parts = split_records(sessions(10), {"locked": 0.5, "train": 0.5, "confirm": 0.0}, seed=0)
    assert parts.names == ("train", "locked")


def test_replies_references_and_repeated_texts_stay_together():
    records = [{"text": f"message {i}", "session": f"s{i}"} for i in range(30)]
    records[3]["reply_to"] = "r20"
    records[4]["refs"] = ("r21",)
    records[5]["text"] = f"I {LONG}"
    records[22]["text"] = f"We {LONG}"
    for seed in range(6):
        codes = split_records(make_history(*records), SHARES, seed=seed).codes
        assert (codes[3], codes[4], codes[5]) == (codes[20], codes[21], codes[22])


def test_short_words_that_are_repeated_tie_nothing_together():
    history = make_history(*({"text": "Thanks, see you then!", "session": f"s{i}"} for i in range(30)))
    assert split_records(history, SHARES, seed=0).shares == pytest.approx((0.5, 0.3, 0.2), abs=0.07)


def test_the_length_of_records_counts_as_much_as_their_number():
    records = [{"text": f"n{i} " * (50 if i % 5 == 0 else 1)} for i in range(200)]
    history = make_history(*records)
    tokens = np.array([len(text) for text in history.texts])
    codes = split_records(history, SHARES, seed=0, tokens=tokens).codes
    weighed = [tokens[codes == code].sum() / tokens.sum() + (codes == code).mean() for code in range(3)]
    assert weighed == pytest.approx([1.0, 0.6, 0.4], abs=0.03)


def test_one_conversation_is_cut_into_blocks_and_said_so():
    records = [{"text": f"note n{i}", "session": "all"} for i in range(200)]
    records[10]["text"] = records[60]["text"] = records[150]["text"] = f"I {LONG}"
    parts = split_records(make_history(*records), SHARES, seed=0)
    assert parts.notes[0] == (
        "1 of 1 conversations, documents and chains of replies (100% of the history) each hold too much of it to be "
        "kept whole: cut into contiguous blocks of records"
    )
    kept = parts.codes[parts.codes >= 0]
    assert 6 < np.count_nonzero(np.diff(kept)) < 25
    assert [float((kept == code).mean()) for code in range(3)] == pytest.approx([0.5, 0.3, 0.2], abs=0.06)
    same = parts.codes[[10, 60, 150]]
    assert len(set(same[same != NOWHERE])) == 1
    stray = int((same == NOWHERE).sum())
    assert parts.notes[1:] == ((f"{stray} records repeat one of another part and are in none",) if stray else ())


def test_repeated_texts_that_would_tie_all_together_leave_their_copies_out():
    records = [{"text": f"I {LONG}" if i % 4 == 0 else f"note n{i}", "session": f"s{i // 4}"} for i in range(160)]
    parts = split_records(make_history(*records), SHARES, seed=0)
    assert parts.notes[0].startswith("repeated texts tie too much together")
    assert len(set(parts.codes[::4]) - {NOWHERE}) == 1
    assert all(len(set(parts.codes[i : i + 4]) - {NOWHERE}) == 1 for i in range(0, 160, 4))


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([], "history 'h': it is empty and cannot be divided"),
        (
            [{}, {}],
            (
                "history 'h': no record is left for locked: 2 records, of which 0 repeat another, cannot be divided "
                "into 3 parts (train, validation, locked); use a longer history, or fewer parts"
            ),
        ),
    ],
)
def test_a_history_that_is_too_short_is_refused(records, message):
    with pytest.raises(UserError) as caught:
        split_records(make_history(*records), SHARES, seed=0)
    assert str(caught.value) == message


@settings(max_examples=60, deadline=None)
@given(histories(), st.integers(0, 3))
def test_no_two_parts_say_the_same_and_none_is_empty(history, seed):
    try:
        parts = split_records(history, SHARES, seed=seed)
    except UserError:
        assert len(set(history.texts)) < 6
        return
    assert set(parts.codes.tolist()) - {NOWHERE} == {0, 1, 2}
    for i, j, _ in brute_force(history.texts, 0.8):
        if len(set(history.texts[i].split()) - {"the", "and", "was", "x", "r1"}) >= 5:
            assert parts.codes[i] == parts.codes[j] or NOWHERE in (parts.codes[i], parts.codes[j])
    if not parts.notes:
        for row, target in enumerate(history.reply_to):
            if target in history.row:
                assert parts.codes[row] == parts.codes[history.row[target]]
