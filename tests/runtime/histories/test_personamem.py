"""PersonaMem: contexts, the questions that are asked at places in them, and nothing that gives them away."""

from __future__ import annotations

import csv
import io
import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import find_format, load

CONTEXT = "9f86d081884c7d65"
MESSAGES = [
    {"role": "system", "content": "Current user persona: Ana keeps bees."},
    {"role": "user", "content": "User: I like tea.\nSide_Note: [likes tea] 01/01/2024\nA lot."},
    {"role": "assistant", "content": "Assistant: Noted."},
    {"role": "system", "content": "Current user persona: Ana keeps bees."},
    {"role": "user", "content": "User: I now like coffee."},
]
QUESTION = {
    "persona_id": "0", "question_id": "u1", "question_type": "recall_user_shared_facts", "topic": "food",
    "distance_to_ref_in_blocks": "1", "user_question_or_message": "What should I drink?", "correct_answer": "(b)",
    "all_options": "['(a) Coffee, as you said', \"(b) Tea, it's yours\"]", "shared_context_id": CONTEXT,
    "end_index_in_shared_context": "3",
}  # fmt: skip


@pytest.fixture
def personamem(write):
    def personamem(questions, messages=MESSAGES):
        write("pm/shared_contexts_32k.jsonl", [{CONTEXT: messages}])
        table = io.StringIO()
        rows = csv.DictWriter(table, list(QUESTION))
        rows.writeheader()
        rows.writerows(questions)
        write("pm/questions_32k.csv", table.getvalue())
        return load("pm")

    return personamem


def noted(dataset):
    return {oddity.what: (oddity.count, oddity.examples) for oddity in dataset.report.oddities}


def test_messages_before_the_question_are_records_without_a_time(personamem):
    (dataset,) = personamem([QUESTION])
    assert dataset.name == CONTEXT
    assert [(e.id, e.text, e.role, e.session, e.time) for e in dataset.events] == [
        ("message-2", "User: I like tea.\nA lot.", "user", "session-1", None),
        ("message-3", "Assistant: Noted.", "assistant", "session-1", None),
    ]
    assert noted(dataset) == {
        "cards that sum up the persona, left out": (1, ("message-1",)),
        "notes of the makers of the data taken out of messages": (1, ("message-2",)),
    }


def test_a_question_shows_its_options_and_wants_the_right_one(personamem):
    (question,) = personamem([QUESTION])[0].questions
    assert question.question == "What should I drink?\n\n(a) Coffee, as you said\n(b) Tea, it's yours"
    assert (question.answer, question.alternatives) == ("Tea, it's yours", ("(b)", "(b) Tea, it's yours"))
    assert (question.id, question.type, question.meta) == ("u1", "recall_user_shared_facts", {"topic": "food"})


def test_a_context_cut_at_several_places_is_several_histories(personamem):
    later = QUESTION | {"question_id": "u2", "end_index_in_shared_context": "5", "correct_answer": "(a)"}
    first, second = personamem([QUESTION, later])
    assert (first.name, second.name) == (f"{CONTEXT}@3", f"{CONTEXT}@5")
    assert [len(d.events) for d in (first, second)] == [2, 3]
    assert [d.questions[0].id for d in (first, second)] == ["u1", "u2"]
    assert second.events[-1].session == "session-2"


@pytest.mark.parametrize("options", ["", "none at all", '["(x) else"]'])
def test_without_the_right_option_the_question_stands_alone(personamem, options):
    (question,) = personamem([QUESTION | {"all_options": options}])[0].questions
    assert (question.question, question.answer, question.alternatives) == ("What should I drink?", "(b)", ())


def test_odd_rows_stop_nothing(personamem):
    (dataset,) = personamem(
        [
            QUESTION | {"end_index_in_shared_context": "x"},
            QUESTION | {"question_id": "u3", "correct_answer": "", "end_index_in_shared_context": "99"},
            QUESTION | {"shared_context_id": ""},
        ],
        [*MESSAGES, {"role": "user"}, 5],
    )
    assert [q.id for q in dataset.questions] == ["u1"]
    assert {what: count for what, (count, _) in noted(dataset).items()} == {
        "questions asked at no place of their context, put at its end": 2,
        "questions about no context, left out": 1,
        "messages without words, left out": 2,
        "cards that sum up the persona, left out": 2,
        "notes of the makers of the data taken out of messages": 1,
        "questions without words or gold answer, left out": 1,
    }


def test_files_find_each_other(personamem):
    personamem([QUESTION])
    for name in ("pm", "pm/shared_contexts_32k.jsonl", "pm/questions_32k.csv"):
        assert find_format(Path(name)).name == "personamem"
        assert len(load(name)[0].questions) == 1
    Path("pm/questions_32k.csv").unlink()
    (dataset,) = load("pm")
    assert (len(dataset.events), dataset.questions) == (3, ())
    assert "no official questions beside the contexts" in noted(dataset)


def test_questions_without_their_talks_are_refused(personamem, golden):
    personamem([QUESTION])
    Path("pm/shared_contexts_32k.jsonl").unlink()
    with pytest.raises(UserError) as caught:
        load("pm/questions_32k.csv")
    golden("personamem_without_talks", str(caught.value))
    with pytest.raises(UserError, match="is no PersonaMem folder"):
        load("pm", format="personamem")


@given(st.binary(max_size=60), st.text(max_size=60), st.lists(st.none() | st.text(max_size=5), max_size=3))
def test_any_files_are_read_or_refused(tmp_path_factory, contexts, questions, messages):
    folder = tmp_path_factory.mktemp("any")
    heading = ",".join(QUESTION)
    for first in (contexts, json.dumps({CONTEXT: messages}).encode()):
        (folder / "shared_contexts_1.jsonl").write_bytes(first)
        (folder / "questions_1.csv").write_bytes(f"{heading}\n{questions}".encode("utf-8", "surrogatepass"))
        with suppress(UserError):
            assert all(d.name for d in load(folder, format="personamem"))
