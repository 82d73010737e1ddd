"""RHELM: talks, mails and documents of a person, with evidence that names them in many ways."""

from __future__ import annotations

import pytest

from designsearch.dsl.problems import InvalidFileError
from designsearch.runtime.histories.base import load
from designsearch.runtime.records import Record

MAILS = """\
Sender: Bo Lind <bo@example.org>
Recipient: Ana Roth <ana@example.org>
Subject: The boat
Summary: Bo asks for the kayak.

============================================================

Sender: carl@example.org
Recipient: Ana Roth <ana@example.org>
Subject: Bread
Summary: Carl wants rye.
"""
NOTES = "# Walk\nby Ana\n## Route\nover the ridge\n## Gear\nrope\n"


def talk(day, ordinal, *turns):
    return {
        "character": "Ana_Roth",
        "date": day,
        "event_file": f"plans/Ana_Roth/{ordinal:02d}_resolution.json",
        "conversation": [
            {"turn": n, "timestamp": f"{day}T08:{n:02d}:00", "message_type": "chat", "user": user, "assistant": reply}
            for n, (user, reply) in enumerate(turns, start=1)
        ],
    }


@pytest.fixture
def persona(write):
    """Write a persona with these questions and load it."""

    def persona(*questions, folder="set"):
        first = talk("2024-03-01", 1, ("I bought rye.", "Nice!"), ("Bo paints.", "What?"), ("I slept.", ""))
        write(f"{folder}/conversations/Ana_Roth/conversation_2024_03_01.json", first)
        write(f"{folder}/conversations/Ana_Roth/conversation_2024_03_09.json", talk("2024-03-09", 2, ("Rain.", "Oh.")))
        write(f"{folder}/emails/Ana_Roth/02_email_2024_03_09.txt", MAILS)
        write(f"{folder}/emails/Ana_Roth/03_email_2024_03_12.txt", MAILS.split("===")[0])
        write(f"{folder}/attachments/Ana_Roth/02_notes_task_1a.md", NOTES)
        write(f"{folder}/attachments/Ana_Roth/01_report_task_2b.html", "<h1>Plan</h1>first<h2>Later</h2>x")
        write(f"{folder}/attachments/Ana_Roth/09_photo.png", b"\x89PNG")
        rows = [
            {"id": f"q{i}", "question": f"q{i}?", "answer": "x", "question_date": "2024-04-01", "question_type": "fact",
             "supporting_evidence": evidence}
            for i, evidence in enumerate(questions)
        ]  # fmt: skip
        write(f"{folder}/QA_final/low_score_qa_Ana_Roth_all_validated.jsonl", rows)
        (dataset,) = load(folder)
        return dataset

    return persona


def noted(dataset):
    return {oddity.what: (oddity.count, oddity.examples) for oddity in dataset.report.oddities}


def test_talks_mails_and_documents_are_records(persona):
    dataset = persona()
    history = dataset.history()
    assert history.ids == (
        "01_report_task_2b.html#1",
        "01_report_task_2b.html#2",
        "2024-03-01:1:user",
        "2024-03-01:1:assistant",
        "2024-03-01:2:user",
        "2024-03-01:2:assistant",
        "2024-03-01:3:user",
        "2024-03-09:email:1",
        "2024-03-09:email:2",
        "02_notes_task_1a.md#1",
        "02_notes_task_1a.md#2",
        "02_notes_task_1a.md#3",
        "2024-03-09:1:user",
        "2024-03-09:1:assistant",
        "2024-03-12:email:1",
    )
    assert dataset.name == "Ana_Roth"
    by_id = {record_id: history.record(row) for record_id, row in history.row.items()}
    assert by_id["2024-03-01:1:assistant"] == Record(
        "2024-03-01:1:assistant", "Nice!", "2024-03-01T08:01:00", author="assistant", role="assistant",
        session="2024-03-01", source="conversation", reply_to="2024-03-01:1:user", meta={"message_type": "chat"},
    )  # fmt: skip
    mail = by_id["2024-03-09:email:1"]
    assert mail.text == MAILS.split("\n\n===")[0]
    assert (mail.author, mail.time, mail.source, mail.section) == ("Bo Lind", "2024-03-09", "email", "The boat")
    assert by_id["2024-03-09:email:2"].author == "carl@example.org"
    notes = by_id["02_notes_task_1a.md#2"]
    assert (notes.text, notes.section) == ("## Route\nover the ridge", "Walk > Route")
    assert (notes.time, notes.source, notes.session) == ("2024-03-09", "attachment", "02_notes_task_1a.md")
    assert by_id["01_report_task_2b.html#2"].time == "2024-03-01"


def test_what_was_read_is_counted(persona):
    dataset = persona(["2024-03-01:1"])
    assert dict(dataset.report.counts) == {
        "days of conversation": 2, "user messages": 4, "assistant messages": 3, "e-mails": 3, "attachments": 2,
        "attachment sections": 5, "events": 15, "questions": 1,
    }  # fmt: skip
    assert noted(dataset) == {
        "turns without words of the assistant": (1, ("2024-03-01:3",)),
        "attachments of an unknown kind, left out": (1, ("09_photo.png",)),
    }


@pytest.mark.parametrize(
    ("name", "records"),
    [
        ("2024-03-01:1", ["2024-03-01:1:user"]),
        ("2024-03-01:1,2,3", ["2024-03-01:1:user", "2024-03-01:2:user", "2024-03-01:3:user"]),
        ("2024-03-01:1,2024-03-09:1", ["2024-03-01:1:user", "2024-03-09:1:user"]),
        ("2024-03-01:1; 2, 2024-03-09:1", ["2024-03-01:1:user", "2024-03-01:2:user", "2024-03-09:1:user"]),
        ("Emails_2024-03-09:Email 2", ["2024-03-09:email:2"]),
        ("Emails_2024-03-09:Email 2: Bread", ["2024-03-09:email:2"]),
        ("Emails_2024-03-09:Email", ["2024-03-09:email:1", "2024-03-09:email:2"]),
        ("Emails_2024-03-12:Header", ["2024-03-12:email:1"]),
        ("Emails_2024-03-12", ["2024-03-12:email:1"]),
        ("02_notes_task_1a.md:Gear", ["02_notes_task_1a.md#3"]),
        ("02_notes_task_1a.md: ## Route", ["02_notes_task_1a.md#2"]),
        ("02_notes_task_1a.md:Header", ["02_notes_task_1a.md#1"]),
        ("02_notes_task_1a.md", ["02_notes_task_1a.md#1", "02_notes_task_1a.md#2", "02_notes_task_1a.md#3"]),
        ("01_report_task_2b.html:Later", ["01_report_task_2b.html#2"]),
    ],
)
def test_evidence_is_traced(persona, name, records):
    (question,) = persona([name]).questions
    assert [(entry.record, entry.quote) for entry in question.evidence] == [(record, None) for record in records]
    assert question.meta == {"supporting_evidence": [name]}


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("2024-03-01:9", "conversation"),
        ("2024-03-01:1,9", "conversation"),
        ("2024-03-02:1", "conversation"),
        ("Emails_2024-03-09:Email 3", "email"),
        ("Emails_2024-03-09:Email 0", "email"),
        ("Emails_2024-03-10:Email", "email"),
        ("02_notes_task_1a.md:Weather", "attachment"),
        ("02_notes_task_9z.md:Gear", "attachment"),
        ("D1:3", ""),
        ("something", ""),
    ],
)
def test_what_cannot_be_traced_is_kept_and_said(persona, name, source):
    dataset = persona([name, "2024-03-09:1"])
    (question,) = dataset.questions
    assert [entry.record for entry in question.evidence] == ["2024-03-09:1:user"]
    assert question.meta["unresolved"] == {name: source}
    assert noted(dataset)["evidence that could not be traced"] == (1, (f"q0: {name}",))


def test_unusual_evidence_is_counted(persona):
    dataset = persona(
        ["2024-03-01:1,2"], ["2024-03-01:1", "2024-03-01:1"], ["Emails_2024-03-09:Email"], ["02_notes_task_1a.md"], []
    )
    assert len(dataset.questions[1].evidence) == 1
    assert {what: count for what, (count, _) in noted(dataset).items() if "evidence" in what} == {
        "evidence that names several turns": 1,
        "evidence named twice": 1,
        "evidence that names none of several mails of a day, all taken": 1,
        "evidence that names a whole document": 1,
        "questions without evidence": 1,
    }


@pytest.mark.parametrize("kind", ["fact", "hallucination", "misleading"])
def test_a_false_premise_is_answerable_and_the_date_of_asking_is_kept(persona, write, kind):
    persona()
    row = {"id": "q", "question": "Which boat did I sell?", "answer": "None was sold.", "question_date": "2024-04-01",
           "question_type": kind, "supporting_evidence": ["2024-03-01:1"], "characteristics": ["State"]}  # fmt: skip
    write("set/QA_final/low_score_qa_Ana_Roth_all_validated.jsonl", [row])
    (question,) = load("set#Ana_Roth")[0].questions
    assert (question.id, question.type, question.answerable, question.as_of) == ("q", kind, True, "2024-04-01")
    assert question.meta["characteristics"] == ["State"]


def test_a_persona_without_questions_is_said(persona, write):
    persona()
    write("set/conversations/Ana/conversation_2024_03_01.json", talk("2024-03-01", 1, ("Hi.", "Hello.")))
    ana, ana_roth = load("set")
    assert (ana.name, ana_roth.name) == ("Ana", "Ana_Roth")
    assert noted(ana)["no official questions"] == (1, ("Ana",))


def test_broken_files_are_named(persona, write):
    persona()
    write("set/conversations/Ana_Roth/conversation_2024_03_09.json", '{"date": "2024-03-09",\n "conversation": [}')
    with pytest.raises(InvalidFileError, match=r"conversation_2024_03_09\.json:2:\d+: not JSON"):
        load("set")
    write("set/conversations/Ana_Roth/conversation_2024_03_09.json", talk("2024-03-09", 2))
    write("set/emails/Ana_Roth/02_email_2024_03_09.txt", b"Sender: Bo\nSubject: caf\xe9\n")
    with pytest.raises(InvalidFileError, match=r"02_email_2024_03_09\.txt:2: byte 0xe9 is not UTF-8"):
        load("set")


def test_sources_leave_mails_and_documents_out(persona):
    persona(["2024-03-01:1"])
    (dataset,) = load("set", sources=["conversation"])
    assert len(dataset.history()) == 7
    assert set(dataset.history().sources.names) == {"conversation"}
