from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from runtime_fakes import REGISTRY, ask, history_of, memory_of, ranked, rows_of

from designsearch.dsl.operators import Registry
from designsearch.dsl.validate import load_design
from designsearch.runtime.compile import compile_design
from designsearch.runtime.lost_at import lost_at
from designsearch.runtime.pipeline import Step, run_cascade
from designsearch.runtime.services import Services

TEXTS = ["kayak river", "kayak paddle", "river bank", "tram ticket", "green tea", "red kayak"]


@pytest.fixture
def calls():
    """How often each operator was called."""
    return Counter()


@pytest.fixture
def load(calls):
    """Load a design whose operators are counted."""
    registry = Registry()

    def counted(op):
        def function(*inputs):
            calls[op.name] += 1
            return op.function(*inputs)

        return replace(op, function=function)

    for op in REGISTRY:
        registry.operators[op.slot, op.name] = counted(op)
    return lambda text: load_design("version: 1\n" + text, registry=registry)


HYBRID = """
retrieval:
  - {op: bm25, k: 5}
  - {op: dense, k: 5}
  - {op: rrf}
  - {op: take, k: 3}
"""


def search(design, services, questions=("kayak trip", "tea"), texts=TEXTS):
    pipeline = compile_design(design, 50, services)
    memory = pipeline.open(history_of(texts))
    run = pipeline.search(memory, ask(*questions))
    return run, pipeline.contexts(memory, run, ask(*questions))


def test_each_stage_leaves_a_step(load):
    run, contexts = search(load(HYBRID), Services())
    assert [(s.path, s.op, s.narrows) for s in run.steps] == [
        ("retrieval[0]", "bm25", False),
        ("retrieval[1]", "dense", False),
        ("retrieval[2]", "rrf", True),
        ("retrieval[3]", "take", True),
    ]
    assert run.ranking is run.steps[-1].ranking
    assert run.ranking.sizes.tolist() == [3, 3]
    assert contexts[1].text.startswith("green tea")


def test_nothing_is_computed_twice(load, calls):
    services = Services()
    first, _ = search(load(HYBRID), services)
    before = calls.copy()
    again, _ = search(load(HYBRID), services)
    assert calls == before
    assert rows_of(first.ranking) == rows_of(again.ranking)


def test_a_context_edit_repeats_no_retrieval(load, calls):
    services = Services()
    search(load(HYBRID), services)
    before = calls.copy()
    _, contexts = search(load(HYBRID + "context: {item: '- {{ unit.text }}', order: chronological}"), services)
    assert calls == before
    assert contexts[0].text.startswith("- ")


def test_a_changed_k_keeps_what_comes_before_and_beside_it(load, calls):
    services = Services()
    search(load(HYBRID), services)
    before = calls.copy()
    search(load(HYBRID.replace("dense, k: 5", "dense, k: 4")), services)
    assert calls - before == Counter({"dense": 1, "rrf": 1, "take": 1})


def test_designs_share_the_prefix_of_their_cascades(load, calls):
    services = Services()
    search(load(HYBRID), services)
    before = calls.copy()
    search(load(HYBRID + "  - {op: mmr, k: 2}\n"), services)
    assert calls - before == Counter({"mmr": 1})


def test_a_new_view_keeps_the_rankings_of_others(load, calls):
    services = Services()
    search(load(HYBRID), services)
    before = calls.copy()
    search(load("storage: {views: {wide: {op: window}}}\n" + HYBRID), services)
    assert "bm25" not in calls - before
    assert "dense" not in calls - before


@pytest.mark.parametrize(
    "change",
    [{"texts": [*TEXTS, "new"]}, {"questions": ("kayak", "tea")}, {"questions": ("tea", "kayak trip")}],
    ids=["history", "question", "order"],
)
def test_other_inputs_are_computed_anew(load, calls, change):
    services = Services()
    search(load(HYBRID), services)
    before = calls.copy()
    run, _ = search(load(HYBRID), services, **change)
    assert (calls - before)["bm25"] == 1
    alone, _ = search(load(HYBRID), Services(), **change)
    assert rows_of(run.ranking) == rows_of(alone.ranking)


def test_questions_of_other_times_are_computed_anew(load):
    design = load("retrieval: [{op: recent}, {op: time_filter, last_days: 5, undated: false}]")
    services = Services()
    entries = [{"text": t, "time": f"2024-01-{i + 1:02d}"} for i, t in enumerate(TEXTS)]
    pipeline = compile_design(design, 50, services)
    memory = pipeline.open(history_of(entries))
    late = pipeline.search(memory, ask("?", as_of="2024-01-30")).ranking
    early = pipeline.search(memory, ask("?", as_of="2024-01-02")).ranking
    assert (rows_of(late), rows_of(early)) == ([[]], [[1, 0]])


def cascade(text, questions, texts=TEXTS):
    m = memory_of(texts, "retrieval:\n" + text)
    return run_cascade(m, m.design.retrieval, ask(*questions))


def test_when_on_a_refine_stage_leaves_the_other_questions_alone():
    asked = ("how many kayaks", "red river", "", "how many rivers")
    plain = rows_of(cascade("  - {op: bm25}", asked).ranking)
    made = rows_of(cascade("  - {op: bm25}\n  - {op: take, k: 1, when: question.asks_count}", asked).ranking)
    assert made == [plain[0][:1], plain[1], plain[2], plain[3][:1]]
    assert len(plain[1]) > 1


def test_when_on_a_retriever_adds_nothing_for_the_other_questions():
    asked = ("how many kayaks", "tea", "how often tea")
    text = "  - {op: recent, k: 2}\n  - {op: bm25, when: question.asks_count}\n  - {op: rrf}"
    run = cascade(text, asked)
    alone = rows_of(cascade("  - {op: bm25}", asked).ranking)
    assert rows_of(run.steps[1].ranking) == [alone[0], [], alone[2]]
    assert set(rows_of(run.ranking)[1]) == {4, 5}


def test_when_on_a_query_stage_leaves_the_other_queries_alone():
    asked = ("how many kayaks", "kayaks")
    text = "  - {op: prf, when: question.asks_count, feedback: [{op: bm25}], max_df: 1}\n  - {op: bm25}"
    run = cascade(text, asked)
    assert [len(own) for own in run.steps[0].queries.queries] == [2, 1]
    assert rows_of(run.ranking)[1] == rows_of(cascade("  - {op: bm25}", asked).ranking)[1]
    assert 2 in rows_of(run.ranking)[0]


@pytest.mark.parametrize("asked", [("kayak", "zebra", "tea"), ("zebra",), ("kayak",), ()])
def test_when_the_ranking_is_empty(asked):
    text = "  - {op: bm25}\n  - {op: recent, k: 1, when: ranking.empty}\n  - {op: rrf}"
    made = rows_of(cascade(text, asked).ranking)
    assert [5] in made if "zebra" in asked else [5] not in made
    assert len(made) == len(asked)


def test_when_no_question_is_concerned():
    text = "  - {op: bm25}\n  - {op: dense, when: question.asks_count}\n  - {op: rrf}\n"
    text += "  - {op: mmr, when: question.has_date}"
    assert len(cascade(text, ("tea", "kayak")).ranking) == 2


def test_questions_that_run_together_have_rankings_of_their_own():
    services = Services()
    m = memory_of(["ab", "cd", "abcd"], "retrieval: [{op: bm25}]", services)
    one, other = (run_cascade(m, m.design.retrieval, ask(*q)).ranking for q in (("ab\x1e", "cd"), ("ab", "\x1ecd")))
    assert rows_of(one) == rows_of(other)
    tricky = ("tea\x1e('question', 'x', 1.0, ())", "x")
    assert len(run_cascade(m, m.design.retrieval, ask(*tricky)).ranking) == 2


def step(path, ranking, narrows=True):
    return Step(path, "op", ranking, ask("?"), narrows, 0.0)


STEPS = (
    step("a", ranked([7, 3, 5]), narrows=False),
    step("b", ranked([4]), narrows=False),
    step("q", None, narrows=False),
    step("c", ranked([4, 5, 7])),
    step("d", ranked([4, 5])),
    step("e", ranked([4])),
)


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        ([3], ("c", 2)),
        ([7], ("d", 3)),
        ([5], ("e", 2)),
        ([7, 5], ("e", 2)),
        ([4], ("context", 1)),
        ([9], (None, None)),
        ([], (None, None)),
        ([9, 3], ("c", 2)),
    ],
)
def test_lost_at(units, expected):
    assert lost_at(STEPS, 0, 0, np.array(units, np.int64)) == expected


def test_what_comes_back_was_not_lost():
    steps = (step("a", ranked([1, 2])), step("b", ranked([1])), step("c", ranked([1, 2])))
    assert lost_at(steps, 0, 2, np.array([2])) == ("context", 2)
