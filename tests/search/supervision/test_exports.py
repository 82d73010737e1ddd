"""What other optimisers get."""

import json

from supervision_fakes import cast_of, lively_history

from designsearch.search.supervision.exports import pairs_lines, questions_lines
from designsearch.search.supervision.generate import generate_questions
from designsearch.search.supervision.settings import SupervisionSettings

HISTORY = lively_history()


def test_exports_hold_all_but_the_locked_questions(tmp_path):
    made = {"h": generate_questions(HISTORY, SupervisionSettings(count=40, seed=2), cast_of(), tmp_path)}
    open_questions = [q for part in ("train", "validation") for q in made["h"].parts[part]]
    lines = [json.loads(line) for line in questions_lines(made).splitlines()]
    assert [line["id"] for line in lines] == [q.id for q in open_questions]
    first = next(line for line in lines if line["evidence"])
    assert set(first) == {
        "history", "part", "id", "question", "answer", "answer_type", "answerable", "type", "as_of", "evidence",
    }  # fmt: skip
    for one in first["evidence"]:
        text = HISTORY.texts[HISTORY.row[one["record"]]]
        assert one["quotes"]
        assert all(quote in text for quote in one["quotes"])
    pairs = [json.loads(line) for line in pairs_lines(made).splitlines()]
    assert pairs == [{"question": q.question, "answer": q.answer} for q in open_questions if q.answerable]
    assert len(pairs) < len(lines)
