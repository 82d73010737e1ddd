"""The official data sets, where they are: what is loaded is what the raw files say.

The expectations are made here from the raw files alone, by the reading that published scores rest on: RHELM's questions
all of whose evidence is single turns are met by the user's message, LoCoMo's (but category 5) by a turn's words, else
by its caption.
"""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path

import pytest

from designsearch.runtime.histories.base import load
from designsearch.runtime.histories.labels import without_labels
from designsearch.runtime.histories.question_file import read_question_file
from designsearch.runtime.histories.questions import load_questions, missing_evidence
from designsearch.runtime.histories.writing import history_text, questions_text

DATA = os.environ.get("DESIGNSEARCH_DATA")
pytestmark = pytest.mark.skipif(not DATA, reason="DESIGNSEARCH_DATA does not name the folder of official data sets")


@pytest.fixture(scope="module")
def rhelm_folder():
    folder = Path(DATA) / "rhelm"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    return folder


@pytest.fixture(scope="module")
def locomo_folder():
    folder = Path(DATA) / "locomo"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    return folder


@pytest.fixture(scope="module")
def rhelm(rhelm_folder):
    return load(rhelm_folder)


@pytest.fixture(scope="module")
def locomo(locomo_folder):
    return load(locomo_folder)


def raw_turns(rhelm_folder, name):
    """``DATE:TURN`` to the user's words, of one persona."""
    turns = {}
    for file in sorted((rhelm_folder / "conversations" / name).glob("*.json")):
        talk = json.loads(file.read_text(encoding="utf-8"))
        turns.update({f"{talk['date']}:{turn['turn']}": turn for turn in talk["conversation"]})
    return turns


def raw_questions(rhelm_folder, name):
    """The rows of one persona's questions."""
    (file,) = (f for f in (rhelm_folder / "QA_final").iterdir() if f"qa_{name}_all" in f.name)
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def shown(history, evidence):
    """The words that show that a gold record was found."""
    return history.texts[history.row[evidence.record]] if evidence.quote is None else evidence.quote


def test_rhelm_every_message_mail_and_question_is_there(rhelm, rhelm_folder):
    names = sorted(p.name for p in (rhelm_folder / "conversations").iterdir())
    assert [dataset.name for dataset in rhelm] == names
    for dataset in rhelm:
        history, turns = dataset.history(), raw_turns(rhelm_folder, dataset.name)
        for place, turn in turns.items():
            for role in ("user", "assistant"):
                row = history.row[f"{place}:{role}"]
                assert (history.texts[row], history.roles[row]) == (turn[role], role)
                assert history.time_texts[row] == turn["timestamp"]
        files = (rhelm_folder / "emails" / dataset.name).iterdir()
        mails = sum(file.read_text(encoding="utf-8").count("Sender:") for file in files)
        assert [history.sources[i] for i in range(len(history))].count("email") == mails
        assert len(dataset.questions) == len(raw_questions(rhelm_folder, dataset.name))
        assert {q.id for q in dataset.questions} == {row["id"] for row in raw_questions(rhelm_folder, dataset.name)}
        assert all(q.answerable and q.answer and q.as_of for q in dataset.questions)


def test_rhelm_no_word_of_a_document_is_lost(rhelm, rhelm_folder):
    for dataset in rhelm:
        history = dataset.history()
        texts: dict[str, list[tuple[int, str]]] = {}
        for record_id, row in history.row.items():
            if history.sources[row] == "attachment":
                file, _, number = record_id.partition("#")
                texts.setdefault(file, []).append((int(number), history.texts[row]))
        for file in (rhelm_folder / "attachments" / dataset.name).glob("*.md"):
            kept = " ".join(text for _, text in sorted(texts[file.name]))
            assert re.findall(r"[^\W_]+", kept) == re.findall(r"[^\W_]+", file.read_text(encoding="utf-8"))
        for file in (rhelm_folder / "attachments" / dataset.name).glob("*.html"):
            kept = " ".join(text for _, text in sorted(texts[file.name]))
            bare = re.sub(r"<(head|style|script)\b.*?</\1>", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
            assert len(re.findall(r"<h[1-6]", bare)) <= kept.count("\n") + 1
            assert len(re.findall(r"<tr\b", bare)) <= kept.count("\n") + 1


def test_rhelm_all_evidence_is_traced(rhelm):
    for dataset in rhelm:
        (found,) = load_questions("official", [dataset])
        assert missing_evidence(dataset.history(), found.questions) == {}
        assert [q.id for q in found.questions if not q.evidence or "unresolved" in q.meta] == []


def test_rhelm_conversation_questions_agree_with_the_raw_files(rhelm, rhelm_folder):
    selected = load_questions("official", rhelm, {"evidence": "conversation"})
    total = 0
    for dataset, found in zip(rhelm, selected, strict=True):
        turns = raw_turns(rhelm_folder, dataset.name)
        expected, unusual = {}, set()
        for row in raw_questions(rhelm_folder, dataset.name):
            names = row["supporting_evidence"]
            single = [name for name in names if re.fullmatch(r"\d{4}-\d\d-\d\d:\d+", name)]
            if names and len(single) == len(names):
                expected[row["question"]] = [turns[name]["user"] for name in dict.fromkeys(single)]
            elif all(re.match(r"\d{4}-\d\d-\d\d:", name) for name in names):
                unusual.add(row["question"])
        history = dataset.history()
        gold = {q.question: [shown(history, e) for e in q.evidence] for q in found.questions}
        assert gold.keys() == expected.keys() | unusual
        assert {question: texts for question, texts in gold.items() if question not in unusual} == expected
        total += len(expected)
    assert total == 485


def test_rhelm_turns_named_in_one_string_are_found_one_by_one(rhelm):
    questions = {q.id: q for dataset in rhelm for q in dataset.questions}
    assert [entry.record for entry in questions["aggregation_8888d3"].evidence] == [
        "2024-06-26:13:user",
        "2024-06-26:17:user",
        "2024-06-26:18:user",
        "2024-06-28:11:user",
        "2024-06-30:4:user",
    ]


def test_rhelm_false_premises_are_answerable(rhelm):
    kinds = [q.type for dataset in rhelm for q in dataset.questions if q.answerable]
    assert (kinds.count("hallucination"), kinds.count("misleading"), len(kinds)) == (125, 37, 736)


def test_locomo_every_turn_is_there_with_its_caption(locomo, locomo_folder):
    samples = {s["sample_id"]: s for f in locomo_folder.glob("*.json") for s in json.loads(f.read_text("utf-8"))}
    assert [dataset.name for dataset in locomo] == sorted(samples)
    for dataset in locomo:
        history, turns = dataset.history(), 0
        for key, session in samples[dataset.name]["conversation"].items():
            for turn in session if re.fullmatch(r"session_\d+", key) else ():
                turns += 1
                row = history.row[turn["dia_id"]]
                assert history.texts[row].startswith(turn["text"])
                assert turn.get("blip_caption", "") in history.texts[row]
                assert (history.authors[row], history.sessions[row]) == (turn["speaker"], key)
                assert history.time_texts[row].startswith("202")
        assert len(history) == turns


def test_locomo_questions_agree_with_the_raw_files(locomo, locomo_folder):
    total = 0
    samples = {s["sample_id"]: s for f in locomo_folder.glob("*.json") for s in json.loads(f.read_text("utf-8"))}
    selected = load_questions("official", locomo, {"answerable": True, "evidence": "conversation"})
    for dataset, found in zip(locomo, selected, strict=True):
        sample, expected = samples[dataset.name], {}
        words = {
            turn["dia_id"]: turn.get("text", "") or turn.get("blip_caption", "")
            for key, session in sample["conversation"].items()
            if re.fullmatch(r"session_\d+", key)
            for turn in session
        }
        for row in sample["qa"]:
            names = [name for text in row.get("evidence", []) for name in re.findall(r"D\d+:\d+", text)]
            if row["category"] != 5 and any(name in words for name in names):
                expected[row["question"]] = [words[name] for name in dict.fromkeys(names) if name in words]
        history = dataset.history()
        assert {q.question: [shown(history, e) for e in q.evidence] for q in found.questions} == expected
        total += len(found.questions)
    assert total == 760


def test_locomo_categories_and_answers(locomo):
    questions = [q for dataset in locomo for q in dataset.questions]
    kinds = {kind: sum(q.type == kind for q in questions) for kind in {q.type for q in questions}}
    assert kinds == {"multi_hop": 142, "temporal": 156, "open_domain": 46, "single_hop": 418, "adversarial": 237}
    assert sum(q.answer_type == "number" for q in questions) == 6
    assert all(q.answerable is (q.type != "adversarial") for q in questions)
    assert all((q.answer is None) is (q.type == "adversarial") for q in questions)


def test_locomo_oddities_are_counted(locomo):
    counts: dict[str, int] = {}
    for dataset in locomo:
        for oddity in dataset.report.oddities:
            counts[oddity.what] = counts.get(oddity.what, 0) + oddity.count
    assert counts == {
        "dates of sessions that are not there": 16,
        "answers that are no text (number)": 6,
        "questions without evidence": 2,
        "evidence that is not one turn id": 3,
        "evidence that names a turn that is not there": 1,
        "questions to abstain from that also have an answer; abstention expected": 2,
        "the same question with different gold answers, all kept": 1,
    }


def test_loading_is_fast(rhelm_folder):
    start = time.process_time()
    load(rhelm_folder)
    assert time.process_time() - start < 6.0  # about 1.3 on an idle core


def test_as_of_hides_what_a_persona_says_later(rhelm):
    from designsearch.runtime.histories.times import parse_time

    dataset = rhelm[0]
    middle = parse_time("2024-06-30")
    seen, everything = dataset.history(middle), dataset.history()
    later = {i for i, text in zip(everything.ids, everything.time_texts, strict=True) if text[:10] > "2024-06-30"}
    assert set(seen.ids) == set(everything.ids) - later
    assert 0 < len(seen) < len(everything)


@pytest.mark.parametrize("source", ["rhelm", "locomo"])
def test_what_is_written_of_them_is_read_back_the_same(source, tmp_path):
    folder = Path(DATA) / source
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    for dataset in load(folder):
        plain = without_labels(dataset)
        written = tmp_path / f"{dataset.name}.jsonl"
        written.write_bytes(history_text(plain.events).encode())
        assert load(written)[0].events == plain.events
        asked = tmp_path / "questions.jsonl"
        asked.write_bytes(questions_text((question, "") for question in dataset.questions[:40]).encode())
        assert {q.id: q.evidence for q in read_question_file(asked).questions} == {
            q.id: q.evidence for q in dataset.questions[:40]
        }
