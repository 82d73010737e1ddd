"""LoCoMo: turns with pictures, sessions with dates, questions with everything that is odd about them."""

from __future__ import annotations

import pytest

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import load
from designsearch.runtime.records import Evidence, Record

TURNS = [
    {"dia_id": "D1:1", "speaker": "Ana", "text": "I bought rye bread."},
    {"dia_id": "D1:2", "speaker": "Bo", "text": "", "img_url": ["u"], "blip_caption": "a photo of a blue kayak"},
    {"dia_id": "D1:3", "speaker": "Ana", "text": "Look at this", "blip_caption": "a photo of two oak chairs"},
    {"dia_id": "D1:4", "speaker": "Bo", "img_url": ["https://example.org/c.jpg"]},
    {"dia_id": "D1:5", "speaker": "Ana", "text": None},
]


def sample(*questions, **conversation):
    return [{"sample_id": "talk", "conversation": {"session_1": TURNS, **conversation}, "qa": list(questions)}]


def ask(write, *questions):
    write("five.json", sample(*questions))
    (dataset,) = load("five.json")
    return dataset


def noted(dataset):
    return {oddity.what: (oddity.count, oddity.examples) for oddity in dataset.report.oddities}


def test_turns_are_records_and_none_is_dropped(write):
    write("five.json", sample(session_1_date_time="1:56 pm on 8 May, 2023"))
    (dataset,) = load("five.json")
    history = dataset.history()
    assert history.ids == ("D1:1", "D1:2", "D1:3", "D1:4", "D1:5")
    assert history.texts == (
        "I bought rye bread.",
        "[image: a photo of a blue kayak]",
        "Look at this [image: a photo of two oak chairs]",
        "[image]",
        "",
    )
    assert set(history.time_texts) == {"2023-05-08T13:56"}
    assert history.record(0) == Record(
        "D1:1", "I bought rye bread.", "2023-05-08T13:56", author="Ana", role="user", session="session_1",
        source="conversation",
    )  # fmt: skip
    assert dataset.report.counts["turns with a picture"] == 3
    assert noted(dataset)["turns without words, kept"] == (3, ("D1:2", "D1:4", "D1:5"))


def test_sessions_go_by_number_and_surplus_dates_are_counted(write):
    later = [{"dia_id": "D10:1", "speaker": "Bo", "text": "tenth"}]
    second = [{"dia_id": "D2:1", "speaker": "Bo", "text": "second"}]
    write(
        "five.json",
        sample(
            session_10=later, session_2=second, session_11_date_time="1:00 pm on 1 May, 2023", session_12_date_time="x"
        ),
    )
    (dataset,) = load("five.json")
    assert dataset.history().ids[-2:] == ("D2:1", "D10:1")
    assert noted(dataset)["dates of sessions that are not there"] == (2, ())
    assert noted(dataset)["sessions without a date"][0] == 3


def test_a_date_that_cannot_be_is_reported_and_the_turns_stay(write):
    write("five.json", sample(session_1_date_time="1:56 pm on 31 June, 2023"))
    (dataset,) = load("five.json")
    assert len(dataset.history()) == 5
    assert set(dataset.history().time_texts) == {""}
    assert noted(dataset)["times that cannot be read, taken as unknown"][0] == 1


def test_turns_without_id_or_shape_are_reported(write):
    write("five.json", sample(session_2=[{"text": "no id"}, "no turn"], session_3="no list"))
    (dataset,) = load("five.json")
    assert dataset.history().ids[-1] == "D2:1"
    assert noted(dataset)["turns without an id, named by their place"] == (1, ("D2:1",))
    assert noted(dataset)["turns that are no objects, left out"] == (1, ("session_2[2]",))
    assert noted(dataset)["sessions that are no list of turns, left out"] == (1, ("session_3",))


@pytest.mark.parametrize(
    ("category", "kind"),
    [
        (1, "multi_hop"),
        (2, "temporal"),
        (3, "open_domain"),
        (4, "single_hop"),
        ("2", "temporal"),
        ("temporal", "temporal"),
        ("Multi-hop", "multi_hop"),
    ],
)
def test_categories_have_the_names_of_the_data(write, category, kind):
    dataset = ask(write, {"question": "?", "answer": "x", "category": category, "evidence": ["D1:1"]})
    assert dataset.questions[0].type == kind


@pytest.mark.parametrize("extra", [{"category": 7}, {"category": "seven"}, {"category": None}, {}])
def test_an_unknown_category_is_counted_not_fatal(write, extra):
    dataset = ask(write, {"question": "?", "answer": "x", "evidence": ["D1:1"], **extra})
    assert dataset.questions[0].type == "uncategorised"
    assert sum(count for what, (count, _) in noted(dataset).items() if "categor" in what) == 1


def test_the_report_shows_the_mapping_of_categories(write):
    dataset = ask(
        write, {"question": "?", "answer": "x", "category": 4}, {"question": "!", "answer": "x", "category": 1}
    )
    counts = dataset.report.counts
    assert (counts["of category 1 (multi_hop)"], counts["of category 4 (single_hop)"]) == (1, 1)
    assert counts["of category 2 (temporal)"] == 0


def test_adversarial_questions_want_an_abstention(write):
    dataset = ask(
        write,
        {"question": "What did Bo win?", "category": 5, "adversarial_answer": "a goldfish", "evidence": ["D1:2"]},
        {"question": "Did Bo paint?", "category": 5, "answer": "No", "adversarial_answer": "Yes", "evidence": []},
        {"question": "Who wept?", "category": 5, "answer": "nobody"},
        {"question": "Who left?", "adversarial_answer": "Bo", "evidence": ["D1:1"]},
    )
    assert [(q.answerable, q.answer) for q in dataset.questions] == [(False, None)] * 4
    assert [q.meta.get("adversarial_answer") for q in dataset.questions] == ["a goldfish", "Yes", None, "Bo"]
    conflict = "questions to abstain from that also have an answer; abstention expected"
    assert noted(dataset)[conflict] == (2, tuple(q.id for q in dataset.questions[1:3]))


def test_an_answerable_question_with_a_lure_keeps_its_answer(write):
    dataset = ask(
        write, {"question": "?", "category": 4, "answer": "x", "adversarial_answer": "y", "evidence": ["D1:1"]}
    )
    assert (dataset.questions[0].answerable, dataset.questions[0].answer) == (True, "x")
    assert noted(dataset)["answerable questions that also have an adversarial answer; the answer counts"][0] == 1


@pytest.mark.parametrize(
    ("raw", "answer", "kind"),
    [
        (15, 15, "number"),
        (2.0, 2.0, "number"),
        (True, True, "boolean"),
        (["rye", "oats"], ["rye", "oats"], "list"),
        ("15", "15", "text"),
        ("  rye ", "  rye ", "text"),
    ],
)
def test_answers_keep_their_type(write, raw, answer, kind):
    (question,) = ask(write, {"question": "?", "answer": raw, "category": 2, "evidence": ["D1:1"]}).questions
    assert (question.answer, type(question.answer), question.answer_type) == (answer, type(answer), kind)


@pytest.mark.parametrize("raw", [None, "", "  ", []])
def test_a_question_without_gold_answer_is_left_out_by_name(write, raw):
    dataset = ask(
        write,
        {"question": "lost?", "answer": raw, "category": 2},
        {"question": "kept?", "answer": "x", "category": 2, "evidence": ["D1:1"]},
    )
    assert [q.question for q in dataset.questions] == ["kept?"]
    ((count, (example,)),) = [v for what, v in noted(dataset).items() if "gold answer" in what]
    assert count == 1
    assert "the gold answer is empty" in example


@pytest.mark.parametrize(
    ("raw", "records", "unresolved"),
    [
        (["D1:1", "D1:3"], ["D1:1", "D1:3"], []),
        (["D1:1; D1:3"], ["D1:1", "D1:3"], []),
        (["D1:1, D1:3"], ["D1:1", "D1:3"], []),
        ([["D1:1"], ["D1:3"]], ["D1:1", "D1:3"], []),
        ("D1:1", ["D1:1"], []),
        (["D1:1", "D1:1"], ["D1:1"], []),
        (["D:1:3"], [], ["D:1:3"]),
        (["D", "D1:1"], ["D1:1"], ["D"]),
        (["D9:9", "D1:1"], ["D1:1"], ["D9:9"]),
        ([7], [], ["7"]),
        ([], [], []),
        (None, [], []),
        ([{"turn": 1}], [], ["[{'turn': 1}]"]),
    ],
)
def test_evidence_of_any_shape(write, raw, records, unresolved):
    dataset = ask(write, {"question": "?", "answer": "x", "category": 1, "evidence": raw})
    (question,) = dataset.questions
    assert [entry.record for entry in question.evidence] == records
    assert list(question.meta.get("unresolved", {})) == unresolved
    assert question.meta["evidence"] == raw
    assert any("evidence" in what for what in noted(dataset)) is (
        raw not in (["D1:1", "D1:3"], "D1:1", [["D1:1"], ["D1:3"]])
    )


def test_evidence_is_the_words_of_a_turn_else_its_caption(write):
    evidence = ["D1:1", "D1:2", "D1:3", "D1:4"]
    (question,) = ask(write, {"question": "?", "answer": "x", "category": 1, "evidence": evidence}).questions
    assert question.evidence == (
        Evidence("D1:1", "I bought rye bread."),
        Evidence("D1:2", "a photo of a blue kayak"),
        Evidence("D1:3", "Look at this"),
        Evidence("D1:4", None),
    )


def test_the_same_question_twice_is_merged_and_a_contradiction_is_kept_and_said(write):
    dataset = ask(
        write,
        {"question": "Which bread?", "answer": "rye", "category": 4, "evidence": ["D1:1"]},
        {"question": "which  bread?", "answer": "Rye", "category": 4, "evidence": ["D1:3"]},
        {"question": "Which bread?", "answer": "oat", "category": 4, "evidence": ["D1:1"]},
        {"question": "Which bread?", "adversarial_answer": "rye", "category": 5, "evidence": ["D1:1"]},
    )
    assert [(q.answer, len(q.evidence)) for q in dataset.questions] == [("rye", 2), ("oat", 1), (None, 1)]
    assert noted(dataset)["duplicate questions, merged"][0] == 1
    (example,) = noted(dataset)["the same question with different gold answers, all kept"][1]
    assert all(q.id in example for q in dataset.questions)


def test_ids_of_questions_do_not_depend_on_their_place(write):
    one = {"question": "a?", "answer": "x", "category": 4}
    two = {"question": "b?", "answer": "y", "category": 4}
    first = {q.question: q.id for q in ask(write, one, two).questions}
    assert {q.question: q.id for q in ask(write, two, one).questions} == first
    assert len(set(first.values())) == 2


def test_a_folder_of_files_is_read(write):
    write("set/a.json", sample())
    write("set/b.json", {"sample_id": "other", "conversation": {"session_1": TURNS[:1]}})
    assert [(d.name, len(d.history())) for d in load("set")] == [("other", 1), ("talk", 5)]
    assert [d.name for d in load("set#other")] == ["other"]
    write("set/c.json", sample())
    with pytest.raises(UserError, match="'talk' is there twice"):
        load("set")
