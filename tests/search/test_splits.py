from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designsearch.dsl.problems import UserError
from designsearch.runtime.records import Evidence, Question
from designsearch.search.results import Key
from designsearch.search.splits import Asked, split_questions
from designsearch.search.study_shape import SplitShape

DEFAULT = SplitShape()


def asked(history: str, count: int, pinned=None, shared: int = 1) -> Asked:
    """Questions of which ``shared`` in a row have one gold record."""
    ids = range(count)
    questions = (Question(f"q{i}", f"what {history} {i}?", "a", evidence=(Evidence(f"r{i // shared}"),)) for i in ids)
    return Asked(history, tuple(questions), pinned)


def shares_of(split) -> dict[str, float]:
    return {part: split.size(part) / len(split.part_of) for part in ("train", "validation", "confirm", "locked")}


def test_six_histories_are_kept_whole_three_two_one():
    split = split_questions([asked(f"h{i}", 50) for i in range(6)], DEFAULT, seed=0)
    assert split.by == "history"
    assert [len(split.histories(part)) for part in ("train", "validation", "locked")] == [3, 2, 1]
    assert "only 6 histories: differences between users weigh heavily" in split.notes
    for i in range(6):
        assert len({split.part_of[Key(f"h{i}", f"q{n}")] for n in range(50)}) == 1


def test_histories_of_unequal_size_are_arranged_near_the_shares():
    sizes = [90, 80, 70, 60, 50, 40, 30, 20, 10, 10]
    split = split_questions([asked(f"h{i}", size) for i, size in enumerate(sizes)], DEFAULT, seed=3)
    reached = shares_of(split)
    assert abs(reached["train"] - 0.5) < 0.08
    assert abs(reached["validation"] - 0.3) < 0.08


def test_two_histories_are_divided_by_questions_and_it_is_said():
    split = split_questions([asked("a", 100), asked("b", 100)], DEFAULT, seed=0)
    assert split.by == "question"
    assert split.notes == ("2 histories: divided by questions; it says nothing about others",)
    assert shares_of(split) == pytest.approx({"train": 0.5, "validation": 0.3, "locked": 0.2, "confirm": 0}, abs=0.01)
    assert split.histories("locked") == ["a", "b"]


def test_lines_say_the_shares_reached():
    split = split_questions([asked("a", 10)], DEFAULT, seed=0)
    assert split.lines()[0] == "train: 5 questions (50%) about 1 history"
    few = split_questions([asked("a", 3)], DEFAULT, seed=0).lines()
    assert [line for line in few if "1 question (33%) about 1 history" in line]


def test_by_question_divides_many_histories_within_each():
    shape = SplitShape(by="question")
    split = split_questions([asked(f"h{i}", 20) for i in range(6)], shape, seed=0)
    assert split.by == "question"
    assert split.histories("validation") == [f"h{i}" for i in range(6)]


def test_a_pinned_history_is_its_share():
    split = split_questions([asked("a", 50), asked("b", 50), asked("c", 20, "locked")], DEFAULT, seed=0)
    assert split.histories("locked") == ["c"]
    assert split.size("locked") == 20
    assert (split.by, split.size("train"), split.size("validation")) == ("history", 50, 50)


def test_by_history_with_too_few_histories_is_refused():
    with pytest.raises(UserError, match="2 histories are too few for 3 shares"):
        split_questions([asked("a", 50), asked("b", 50)], SplitShape(by="history"), seed=0)


def test_questions_that_cannot_be_divided_are_refused():
    one_group = asked("a", 6, shared=6)
    with pytest.raises(UserError, match=r"no question is left for \w+: 6 questions about 1 history"):
        split_questions([one_group], DEFAULT, seed=0)


def test_equal_words_stay_together():
    questions = tuple(Question(f"q{i}", "Who?" if i % 2 else " who? ", "a") for i in range(6))
    others = tuple(Question(f"x{i}", f"what {i}", "a") for i in range(30))
    split = split_questions([Asked("a", questions + others)], DEFAULT, seed=0)
    assert len({split.part_of[Key("a", f"q{i}")] for i in range(6)}) == 1


def test_the_seed_decides():
    histories = [asked("a", 60), asked("b", 60)]
    first, again, other = (split_questions(histories, DEFAULT, seed=seed).part_of for seed in (1, 1, 2))
    assert first == again
    assert first != other


records = st.lists(st.integers(0, 25), max_size=3)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(records, min_size=4, max_size=25), min_size=1, max_size=5), st.integers(0, 100), st.booleans())
def test_no_gold_record_is_in_two_shares_and_order_plays_no_part(histories, seed, confirm):
    shape = SplitShape(train=0.4, validation=0.3, locked=0.2, confirm=0.1) if confirm else DEFAULT
    sets = [
        Asked(
            f"h{h}",
            tuple(
                Question(f"q{i}", f"{h} {i}", "a", evidence=tuple(Evidence(f"r{r}") for r in own))
                for i, own in enumerate(questions)
            ),
        )
        for h, questions in enumerate(histories)
    ]
    try:
        split = split_questions(sets, shape, seed)
    except UserError:
        return
    assert split.part_of.keys() == {Key(one.history, q.id) for one in sets for q in one.questions}
    seen: dict[tuple[str, str], set[str]] = {}
    for one in sets:
        for question in one.questions:
            for evidence in question.evidence:
                part = split.part_of[Key(one.history, question.id)]
                seen.setdefault((one.history, evidence.record), set()).add(part)
    assert all(len(parts) == 1 for parts in seen.values())

    draw = random.Random(seed)
    shuffled = [Asked(one.history, tuple(draw.sample(one.questions, len(one.questions)))) for one in sets]
    draw.shuffle(shuffled)
    assert split_questions(shuffled, shape, seed).part_of == split.part_of
