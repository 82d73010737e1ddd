"""Questions x design -> results."""

from dataclasses import replace

import numpy as np
import pytest
from evaluate_fakes import EVENTS, QUESTIONS, design_of, record, task_of
from model_fakes import ScriptedModel, failing

from designsearch.runtime.histories.times import parse_time
from designsearch.runtime.models.answering import ModelAnswerer
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.records import Answer, Evidence, Question
from designsearch.search.evaluate import Runner
from designsearch.search.judge import Judge
from designsearch.search.report import report
from designsearch.search.results import QuestionResult

EVERYTHING = """
storage:
  units: {op: records}
  views:
    window: {op: window, before: 2, after: 2}
    talk: {op: session_text}
    facts: {op: metadata}
    roles: {op: roles}
retrieval:
  - {op: prf, feedback: [{op: bm25, view: talk, k: 3}], documents: 3, terms: 10, max_df: 1}
  - {op: bm25, view: window, k: 9}
  - {op: dense, view: talk, k: 9}
  - {op: recent, k: 3}
  - op: branch
    branches: {a: [{op: bm25, view: facts, k: 5, engine: rank_bm25}], b: [{op: dense, view: roles, k: 5}]}
    fuse: {op: weighted_sum}
  - {op: rrf}
  - {op: neighbors, before: 1, after: 1, top: 4}
  - op: score
    features: {bm25: 1, coverage: 1, rarest: 1, bigrams: 1, names: 1, cosine: 1, centered_cosine.window: 1,
      soft_terms: 1, author: 1, day: 1, interval: 1, near: 1, order: 1, age: 1, future: 1, position: 1, opening: 1,
      length: 1, score: 1}
  - {op: dedupe, similarity: 0.95}
  - {op: mmr, k: 6}
context:
  item: "[{{ unit.time | day }}, {{ unit.time | ago }}] {{ unit.author }}: {{ unit.window }} {{ unit.talk }}"
  group_by: session
  group: "{{ group }} from {{ group.time | day }}"
"""
PLAIN = "retrieval: [{op: bm25, k: 4}, {op: take, k: 2}]"


def known_by(moment):
    """The events known by then, the rest of the log cut off."""
    return [e for e in EVENTS if parse_time(e.known_at or e.time).known_by(moment)]


@pytest.mark.parametrize("design", [EVERYTHING, PLAIN])
@pytest.mark.parametrize("row", range(len(QUESTIONS)))
def test_with_as_of_nothing_known_later_changes_anything(design, row):
    question = QUESTIONS[row]
    events = EVENTS if question.as_of is None else known_by(parse_time(question.as_of))
    (made,) = Runner(view="as_of").passes(design_of(design), task_of(), [row])
    (alone,) = Runner().passes(design_of(design), task_of(events, [question]), [0])
    assert made.memory.history.fingerprint == alone.memory.history.fingerprint
    for step, other in zip(made.run.steps, alone.run.steps, strict=True):
        assert step.queries.queries == other.queries.queries
        if step.ranking is not None:
            assert np.array_equal(step.ranking.ids, other.ranking.ids)
            assert np.array_equal(step.ranking.scores, other.ranking.scores)
    assert made.contexts[0].text == alone.contexts[0].text


def test_planted_answers_from_the_future_are_nowhere():
    planted = ("Zanzibar", "Taro", "Lisbon", "4 euros")
    results = Runner(view="as_of").results(design_of(EVERYTHING), task_of(), range(5))
    for result in results[:3]:
        assert not any(word in result.context for word in planted)
    assert "Zoe" in results[3].context
    assert "Zanzibar" not in results[3].context
    assert results[4].context == ""
    everything = Runner().results(design_of(EVERYTHING), task_of(), range(1))
    assert "Zanzibar" in everything[0].context


def test_edits_and_deletions_show_what_was_known():
    runner = Runner(view="as_of")
    shown = "retrieval: [{op: recent}]"
    questions = [replace(QUESTIONS[1], as_of=t) for t in ("2024-01-09T13:00", "2024-01-11", "2024-01-13")]
    first, second, third = runner.results(design_of(shown), task_of(EVENTS, questions), range(3))
    assert "3 euros" in first.context
    assert "4 euros" in second.context
    assert "Rain" in second.context
    assert "Rain" not in third.context


@pytest.mark.parametrize("view", ["all", "as_of"])
@pytest.mark.parametrize("design", [EVERYTHING, PLAIN])
def test_a_batch_gives_what_each_question_gives_alone(design, view):
    rows = [5, 0, 3, 1, 4, 2]
    together = Runner(view=view).results(design_of(design), task_of(), rows)
    assert [r.question_id for r in together] == [QUESTIONS[row].id for row in rows]
    for row, result in zip(rows, together, strict=True):
        (alone,) = Runner(view=view).results(design_of(design), task_of(), [row])
        assert replace(alone, seconds=0) == replace(result, seconds=0)


def test_no_questions_and_no_history():
    assert Runner().results(design_of(PLAIN), task_of(), []) == []
    (empty,) = Runner().results(design_of(PLAIN), task_of(()), [0])
    assert (empty.context, empty.evidence_recall, empty.evidence[0].present) == ("", 0.0, False)


def test_what_a_result_holds():
    (result,) = Runner().results(design_of(PLAIN), task_of(EVENTS[:6]), [1], label="mine")
    assert (result.design, result.history, result.question_id) == ("mine", "h", "q2")
    assert "3 euros" in result.context
    assert result.context_tokens > 0
    assert [(e.record, e.present, e.lost_at) for e in result.evidence] == [("r2", True, None)]
    assert (result.evidence_recall, result.answer_recall, result.correct) == (1.0, 1.0, None)
    assert result.units[0].records == ("r2",)
    (named,) = Runner().results(design_of(PLAIN), task_of(), [1])
    assert named.design == design_of(PLAIN).hash


@pytest.mark.parametrize(
    ("answer", "named", "stated"),
    [
        ("chess tickets", ("r1",), True),
        ("2024-05-06", ("r1",), True),  # the day of the record
        ("2", ("r1",), False),  # counted
        ("a tram", ("r1", "r2"), True),
        ("a tram", ("r1", "gone"), False),
        ("2", (), True),
        (True, ("r1",), True),
    ],
)
def test_whether_the_evidence_says_the_answer(answer, named, stated):
    events = [replace(record(1, "kitten, chess tickets"), time="2024-05-06"), record(2, "the tram was late")]
    question = Question("q", "kitten?", answer, evidence=tuple(map(Evidence, named)))
    (result,) = Runner().results(design_of(PLAIN), task_of(events, [question]), [0])
    assert result.answer_stated == stated
    assert QuestionResult.from_json(result.to_json()).answer_stated == stated


LOST = """
retrieval:
  - {op: bm25, k: 9}
  - {op: neighbors, before: 0, after: 0}
  - {op: take, k: 2}
context: {max_units: 1}
"""


def test_where_evidence_is_lost():
    events = [
        record(1, "kitten kitten kitten"),
        record(2, "kitten kitten"),
        record(3, "kitten and much else beside it here"),
        record(4, "tram"),
    ]
    question = Question("q", "kitten", "x", evidence=tuple(map(Evidence, ("r1", "r2", "r3", "r4", "no"))))
    (result,) = Runner().results(design_of(LOST), task_of(events, [question]), [0])
    assert [(e.present, e.lost_at, e.rank) for e in result.evidence] == [
        (True, None, None),
        (False, "context", 2),
        (False, "retrieval[2]", 3),
        (False, None, None),
        (False, None, None),
    ]
    assert result.evidence_recall == pytest.approx(0.2)
    assert result.evidence_coverage == 0


def test_an_unanswerable_question_measures_no_evidence():
    (result,) = Runner().results(design_of(PLAIN), task_of(), [4])
    assert (result.evidence_recall, result.answer_recall) == (None, None)


@pytest.mark.parametrize(
    "context",
    [
        "{item: '{{ unit.id }}'}",
        "{item: '{{ unit.text | truncate_tokens(3) }}'}",
        "{item: '{{ unit.text | reverse }}'}",
        "{item: 'r1 {{ unit.author }}', header: '{{ question }}'}",
        "{item: '{{ unit.text }}', max_units: 1, order: relevance}",
    ],
)
def test_ids_fragments_and_other_units_are_no_evidence(context):
    design = design_of("retrieval: [{op: recent}]\ncontext: " + context)
    (result,) = Runner().results(design, task_of(EVENTS[:6]), [0])
    assert result.evidence_recall == 0


def test_words_of_the_evidence_in_another_record_are_no_evidence():
    copy = record(20, EVENTS[0].text)
    design = design_of("retrieval: [{op: recent, k: 1}]")
    (result,) = Runner().results(design, task_of((*EVENTS[:6], copy)), [0])
    assert EVENTS[0].text in result.context
    assert result.evidence_recall == 0


def test_a_question_cannot_bring_its_own_evidence():
    asked = replace(QUESTIONS[0], question=EVENTS[0].text)
    design = design_of("retrieval: [{op: recent, k: 1}]\ncontext: {header: '{{ question }}'}")
    (result,) = Runner().results(design, task_of(EVENTS[:6], [asked]), [0])
    assert EVENTS[0].text in result.context
    assert result.evidence_recall == 0


def test_gold_answers_never_reach_a_template():
    with pytest.raises(Exception, match="answer"):
        design_of("retrieval: [{op: recent}]\ncontext: {item: '{{ question.answer }}'}")
    marked = [replace(q, answer="GOLD", meta={"answer": "GOLD"}, alternatives=("GOLD",)) for q in QUESTIONS]
    for result in Runner().results(design_of(EVERYTHING), task_of(EVENTS, marked), range(len(marked))):
        assert "GOLD" not in repr(result)


class Echo:
    """Answers with what it was told to and remembers what it saw."""

    name = fingerprint = "echo"
    replicates = 1

    def __init__(self, *answers):
        self.answers = list(answers)
        self.seen = []

    def answer_all(self, asks):
        self.seen += [(ask.question, ask.context.text, ask.as_of, ask.max_output_tokens) for ask in asks]
        return [self.answers.pop(0) for _ in asks]


def test_answers_are_measured():
    echo = Echo(Answer("She is called Miso", seconds=2.0, calls=3, cost=0.5), Answer("", abstained=True))
    design = design_of(PLAIN + "\nanswer: {max_output_tokens: 7}")
    right, silent = Runner(answerer=echo).results(design, task_of(), [0, 4])
    assert (right.answer, right.abstained, right.calls, right.cost) == ("She is called Miso", False, 3, 0.5)
    assert right.seconds >= 2.0
    assert right.metrics["f1"] == pytest.approx(0.4)
    assert right.metrics["exact_match"] == 0
    assert (silent.answer, silent.abstained, silent.correct, silent.metrics) == ("", True, True, {})
    assert echo.seen[0] == (QUESTIONS[0].question, right.context, "2024-01-07T12:00", 7)


def test_answers_of_200_questions_are_asked_in_one_call_and_judged_in_another():
    questions = [Question(f"q{n}", f"What is {n}?", "a name for a kitten") for n in range(200)]
    model = ScriptedModel(lambda request: "Miso")
    judge = ScriptedModel(lambda request: {"reason": "", "verdict": "correct"})
    runner = Runner(answerer=ModelAnswerer(model), judge=Judge(judge))
    results = runner.results(design_of(PLAIN), task_of(EVENTS, questions), range(200))
    assert [result.correct for result in results] == [True] * 200
    assert (model.batches, judge.batches) == ([200], [200])


def test_questions_of_different_days_are_asked_in_one_call():
    model = ScriptedModel(lambda request: "Miso")
    runner = Runner(view="as_of", answerer=ModelAnswerer(model))
    results = runner.results(design_of(PLAIN), task_of(), range(6))
    assert len({result.context for result in results}) > 3
    assert model.batches == [6]


def test_one_result_a_replicate_in_the_order_of_the_questions():
    model = ScriptedModel(lambda request: ("Miso", "Taro", Reply(failure="timeout"))[request.replicate])
    results = Runner(answerer=ModelAnswerer(model, 3)).results(design_of(PLAIN), task_of(), [3, 0])
    assert [(r.question_id, r.replicate, r.answer, r.error) for r in results] == [
        (question, *answer)
        for question in ("q4", "q1")
        for answer in ((0, "Miso", ""), (1, "Taro", ""), (2, None, "answerer: timeout"))
    ]
    assert [result.correct for result in results] == [None, None, None, True, None, None]
    assert len({(result.question_id, result.context) for result in results}) == 2


def test_errors_are_counted_and_never_zero():
    model = ScriptedModel(lambda request: Reply(failure="truncated") if request.replicate else "Miso")
    found = report(Runner(answerer=ModelAnswerer(model, 2)).results(design_of(PLAIN), task_of(), [0, 1]))
    assert (found.questions, found.errors) == (2, 2)
    assert (found.metrics["accuracy"].count, found.metrics["accuracy"].mean) == (1, 1.0)
    assert [key.question_id for key in found.metrics["accuracy"].unmeasured] == ["q2"]
    assert (found.metrics["f1"].count, found.metrics["f1"].unmeasured) == (2, ())


def test_when_all_answers_failed_accuracy_is_unmeasured_and_not_left_out():
    runner = Runner(answerer=ModelAnswerer(ScriptedModel(failing)))
    accuracy = report(runner.results(design_of(PLAIN), task_of(), [0, 1])).metrics["accuracy"]
    assert (accuracy.count, accuracy.mean, len(accuracy.unmeasured)) == (0, None, 2)


def test_days_of_asking_count_to_their_end():
    queries = task_of().queries([1, 0, 5])
    assert queries.as_of[0] == parse_time("2024-01-09").local - 1
    assert queries.as_of[1] == parse_time("2024-01-07T12:01").local - 1
    assert queries.as_of[2] == np.iinfo(np.int64).min
