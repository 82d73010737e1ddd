from datetime import date, timedelta

import pytest
from model_fakes import ScriptedModel, failing

from designsearch.dsl.validate import load_design
from designsearch.runtime import memory
from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.indexes.lexical import LexicalIndex
from designsearch.runtime.operators import load_all
from designsearch.runtime.records import Evidence, Question, Record
from designsearch.runtime.services import Services
from designsearch.search.counterfactual import repair
from designsearch.search.evaluate import Runner, Task
from designsearch.search.frontier import Point, frontier, searching_calls
from designsearch.search.latency import latency
from designsearch.search.references import REFERENCES, reference_passes, reference_results
from designsearch.search.speakers import with_all_speakers

DAYS = 40


@pytest.fixture(scope="module")
def task():
    """Forty days, each with its number as a word of its own; two questions, one of them about two days."""
    events = tuple(
        Record(
            f"d{n:02d}",
            f"On this day the number was n{n:03d}x.",
            time=(date(2024, 12, 31) + timedelta(n)).isoformat(),
            author="Ida",
        )
        for n in range(1, DAYS + 1)
    )
    questions = (
        Question("one", "Which number?", "n007x", evidence=(Evidence("d07"),)),
        Question("two", "Which numbers?", "n003x n030x", evidence=(Evidence("d30"), Evidence("d03"))),
        Question("none", "Which letter?", None, answerable=False),
    )
    return Task(Dataset("days", events, questions), questions)


ROWS = (0, 1, 2)


def shown(results):
    return [[unit.records[0] for unit in result.units] for result in results]


@pytest.mark.parametrize("kind", REFERENCES)
@pytest.mark.parametrize("budget", [1, 60, 4000])
def test_every_reference_keeps_to_the_budget(kind, budget, task):
    results = reference_results(Runner(budget), task, ROWS, kind)
    assert [result.question_id for result in results] == ["one", "two", "none"]
    assert all(result.context_tokens <= budget for result in results)
    assert {result.design for result in results} == {kind}


def test_oracle_shows_the_evidence_alone(task):
    results = reference_results(Runner(4000), task, ROWS, "oracle")
    assert shown(results) == [["d07"], ["d03", "d30"], []]
    assert [result.evidence_recall for result in results] == [1.0, 1.0, None]
    assert results[0].context == "[2025-01-07] Ida: On this day the number was n007x."


def test_whole_begins_at_the_start_and_recent_at_the_end(task):
    whole = shown(reference_results(Runner(120), task, ROWS, "whole"))
    recent = shown(reference_results(Runner(120), task, ROWS, "recent"))
    size = len(whole[0])
    assert 3 <= size <= 6
    assert whole == [[f"d{n:02d}" for n in range(1, size + 1)]] * 3
    assert recent[0][-1] == f"d{DAYS}"
    assert recent[0] == [f"d{n:02d}" for n in range(DAYS - len(recent[0]) + 1, DAYS + 1)]


def test_chance_is_drawn_for_each_question_alone(task):
    all_at_once = shown(reference_results(Runner(200), task, ROWS, "random"))
    assert all_at_once[0] != all_at_once[1]
    assert shown(reference_results(Runner(200), task, (1,), "random")) == [all_at_once[1]]
    assert shown(reference_results(Runner(200), task, (1, 0), "random")) == all_at_once[1::-1]
    assert shown(reference_results(Runner(200), task, (1,), "random", seed=1)) != [all_at_once[1]]


def test_only_what_was_known(task):
    asked = Question("early", "Which number?", "n007x", as_of="2025-01-05", evidence=(Evidence("d07"),))
    early = Task(task.dataset, (asked,))
    (recent,) = reference_results(Runner(4000, view="as_of"), early, (0,), "recent")
    assert [unit.records[0] for unit in recent.units] == [f"d{n:02d}" for n in range(1, 6)]
    (oracle,) = reference_results(Runner(4000, view="as_of"), early, (0,), "oracle")
    assert (oracle.units, oracle.evidence_recall) == ((), 0.0)


def test_an_empty_history():
    task = Task(Dataset("empty", ()), (Question("q", "Who?", "x", evidence=(Evidence("gone"),)),))
    for kind in REFERENCES:
        (result,) = reference_results(Runner(100), task, (0,), kind)
        assert (result.context, result.evidence_recall) == ("", 0.0)


def design_of(text):
    return load_design(text, registry=load_all())


def test_a_design_of_one_speaker_and_the_same_with_all():
    one = design_of("version: 1\nstorage: {units: {op: turns, roles: [user]}}\nretrieval: [{op: bm25}]\n")
    everybody = with_all_speakers(one)
    assert everybody is not None
    want = design_of("version: 1\nstorage: {units: {op: turns}}\nretrieval: [{op: bm25}]\n")
    assert everybody.hash == want.hash
    assert with_all_speakers(want) is None
    assert with_all_speakers(design_of("version: 1\nretrieval: [{op: bm25}]\n")) is None


def test_latency(task):
    design = design_of("version: 1\nretrieval: [{op: bm25}]\n")
    found = latency(Runner(400), design, [task, task])
    assert found is not None
    assert found.questions == 6
    assert 0 < found.p50 <= found.p95 < 5
    assert latency(Runner(400), design, []) is None


def test_each_question_is_timed_as_if_never_asked_and_no_index_is_made_for_it(task, monkeypatch):
    asked, search, made, tokenize = [], LexicalIndex.scores, [], memory.tokenize
    monkeypatch.setattr(LexicalIndex, "scores", lambda self, terms: asked.append(terms) or search(self, terms))
    monkeypatch.setattr(memory, "tokenize", lambda *args: made.append(args) or tokenize(*args))
    single = Task(task.dataset, task.questions[:1])
    design, runner = design_of("version: 1\nretrieval: [{op: bm25}]\n"), Runner(400)
    runner.results(design, single, range(1), "d")
    assert (len(asked), len(made)) == (1, 1)
    for _ in range(2):
        asked.clear()
        assert latency(runner, design, [single]).questions == 1
        assert len(asked) == 3  # twice in the warm-up, once timed
    assert len(made) == 1


def test_no_latency_where_a_model_is_asked_to_search(task):
    """Its replies are kept by then; timing them would tell that a model takes no time."""
    helper = ScriptedModel(failing)
    asked = design_of("version: 1\nretrieval: [{op: multi_query}, {op: bm25}]")
    assert latency(Runner(400, Services(helper=helper)), asked, [task]) is None
    assert not helper.requests
    noted = design_of("version: 1\nstorage: {units: {op: notes}}\nretrieval: [{op: bm25}]")
    assert latency(Runner(400, Services(helper=helper)), noted, [task]) is not None


class Reader:
    """Answers with whatever number-word stands in the context alone; with several, with nothing."""

    name = fingerprint = "reader"
    replicates = 1

    def answer_all(self, asks):
        return [self.answer(ask.context) for ask in asks]

    def answer(self, context):
        from designsearch.runtime.records import Answer

        found = [word.strip(".") for word in context.text.split() if word.startswith("n0")]
        text = " ".join(sorted(found)) if 0 < len(found) <= 2 else ""
        return Answer(text, abstained=not text)


@pytest.mark.parametrize(
    ("retrieval", "budget", "outcome", "by"),
    [
        # one other day is ranked: with the evidence first and alone in the budget, the answer is right
        (
            "[{op: recent, k: 1}]\ncontext: {max_units: 1}",
            60,
            {"evidence_first": True, "evidence_added": None, "evidence_alone": True},
            "evidence_first",
        ),
        # everything is in the context: only taking the rest away helps
        (
            "[{op: recent, k: 100}]",
            4000,
            {"evidence_first": None, "evidence_added": False, "evidence_alone": True},
            "evidence_alone",
        ),
    ],
)
def test_repairs(retrieval, budget, outcome, by, task):
    design = design_of(f"version: 1\nretrieval: {retrieval}\n")
    (repaired,) = repair(Runner(budget), Reader(), design, task, (0,))
    assert (repaired.question_id, repaired.history) == ("one", "days")
    assert repaired.outcome == outcome
    assert repaired.by == by


def test_a_question_without_evidence_cannot_be_repaired(task):
    design = design_of("version: 1\nretrieval: [{op: recent, k: 1}]\n")
    (repaired,) = repair(Runner(100), Reader(), design, task, (2,))
    assert repaired.outcome == {"evidence_first": None, "evidence_added": None, "evidence_alone": None}
    assert repaired.by == ""


def test_reference_passes_carry_their_rankings(task):
    (done,) = reference_passes(Runner(4000), task, ROWS, "whole")
    assert done.run.ranking.of_question(0)[0].tolist() == list(range(DAYS))


def point(quality, tokens=1000.0, seconds=0.01, cost=0.0, calls=0.0):
    return Point(None, quality, tokens, calls, cost, seconds)  # type: ignore[arg-type]


def test_frontier():
    best = point(0.8)
    short = point(0.7, tokens=500.0)
    quick = point(0.6, seconds=0.002)
    cheap = point(0.5)
    assert frontier([cheap, best, quick, short]) == [best, short, quick]


def test_frontier_minds_neither_a_few_tokens_nor_noise():
    best = point(0.8, tokens=1000.0, seconds=0.012)
    assert frontier([best, point(0.7, tokens=990.0, seconds=0.011)]) == [best]
    assert frontier([best, point(0.8, tokens=1000.0, seconds=0.012)]) == [best, point(0.8, seconds=0.012)]
    assert frontier([]) == []


def test_frontier_knows_money():
    assert len(frontier([point(0.8, cost=0.02), point(0.8, cost=0.01)])) == 1
    assert len(frontier([point(0.9, cost=0.02), point(0.8, cost=0.01)])) == 2
    assert len(frontier([point(0.9, cost=0.0200), point(0.8, cost=0.0199)])) == 1, "2 % are nothing"


def test_frontier_knows_calls_to_models():
    assert frontier([point(0.8, calls=2.0), point(0.8, calls=1.0)]) == [point(0.8, calls=1.0)]
    assert len(frontier([point(0.9, calls=2.0), point(0.8, calls=1.0)])) == 2
    assert len(frontier([point(0.9, calls=1.01), point(0.8, calls=1.0)])) == 1


def test_frontier_compares_no_time_that_is_not_known_of_both():
    cold, warm = point(0.9, seconds=None), point(0.8, seconds=0.001)
    assert frontier([warm, cold]) == [cold]
    assert len(frontier([point(0.9, seconds=0.1), point(0.8, seconds=0.001)])) == 2


@pytest.mark.parametrize(
    ("retrieval", "calls"),
    [
        ("[{op: bm25}]", 0),
        ("[{op: multi_query}, {op: bm25}]", 1),
        ("[{op: bm25}, {op: rerank, k: 25, batch: 10}]", 3),
        ("[{op: bm25}, {op: rerank, by: cross_encoder, model: a/b}]", 0),
        ("[{op: branch, branches: {a: [{op: hyde}, {op: dense}], b: [{op: bm25}]}, fuse: {op: rrf}}]", 1),
    ],
)
def test_calls_that_searching_takes(retrieval, calls):
    units = "storage: {units: {op: facts}}\n"  # storing is done once, whatever is asked
    assert searching_calls(design_of(f"version: 1\n{units}retrieval: {retrieval}\n")) == calls
