"""Every operator of the registry keeps the rules of ``runtime/contracts.py``; a new one needs no edit here."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from conformance_inputs import (
    LARGE,
    LARGE_QUESTIONS,
    QUESTIONS,
    SMALL,
    history,
    in_store,
    settings,
    widest,
)
from model_fakes import ScriptedModel, failing
from model_replies import obliging
from runtime_fakes import REGISTRY, call, design_of

from designsearch.dsl.operators import Stage
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.storage.spans import JOIN
from designsearch.runtime.records import NO_TIME, Queries, Rankings
from designsearch.runtime.services import Services

PLACES = {"links", "mmr", "neighbors"}
"""Stages that place units on purpose, so that scores need not fall."""

KEEPS_TIES = {"rerank"}
"""Stages that leave equal scores in the order that came in."""

HELPERS = {"none": None, "obliging": obliging, "failing": failing}
"""Who helps: nobody, a model that does the least that is asked, or one that always fails."""

FLAT = "storage: {units: {op: records}, views: {window: {op: window}}}"
TWO = """
storage:
  stores:
    first: {units: {op: records}, views: {window: {op: window}}}
    second: {units: {op: sessions}, views: {window: {op: window}}}
retrieval: [{op: recent, store: first}]
"""

OPERATORS = list(REGISTRY)
CASES = [
    pytest.param(op, params, who, id=f"{op.slot}.{op.name}-{n}" + (f"-{who}" if who != "none" else ""))
    for op in OPERATORS
    for n, params in enumerate(settings(op))
    for who in (("obliging", "failing") if Stage(op, params).needs_model else ("none",))
]
DEFAULTS = [case for case in CASES if case.values[1] == settings(case.values[0])[0]]
WITH_FAILURE = [case for case in CASES if case.values[2] == "failing"]
OF_QUESTIONS = [case for case in CASES if case.values[0].stage not in ("units", "view", "write")]
WITH_K = [case for case in OF_QUESTIONS if widest(case.values[1]) is not None]


def services(who):
    script = HELPERS[who]
    return Services(helper=None if script is None else ScriptedModel(script))


@cache
def memory(name, design=FLAT, who="none"):
    return Memory(design_of(design), history(name), services(who))


@cache
def queries(questions=QUESTIONS):
    asked = [NO_TIME if i % 3 == 0 else 1_700_000_000 + 86_400 * i for i in range(len(questions))]
    return Queries.of(questions, asked)


@cache
def incoming(name, design=FLAT, questions=QUESTIONS, most=2_000):
    """A ranking to work on: what dense search finds, then the rest by id with tied scores; some questions empty."""
    m, asked = memory(name, design), queries(questions)
    rows = []
    for q in range(len(asked)):
        ids = np.concatenate(
            [call("cascade", "dense", asked.select(np.array([q])), m, store=s, k=100).ids for s in m.stores]
        )
        rest = np.setdiff1d(np.arange(min(m.size, most)), ids)
        row = [] if q % 7 == 6 else [*ids.tolist(), *rest.tolist()]
        rows.append((row, [1.0 / (1 + i // 2) for i in range(len(row))]))
    return Rankings.of(rows).sorted()


def run(op, params, m, asked, ranking):
    """The operator's result, whatever its stage."""
    function = op.function
    if op.stage in ("units", "view", "write"):
        return function(params, *storage_inputs(op, m))
    if op.stage in ("query", "retrieve", "branch"):
        return function(params, asked, m)
    if op.stage == "fuse":
        return function(params, [ranking, ranking.keep(ranking.ids % 2 == 0)], m)
    return function(params, ranking, asked, m)


def storage_inputs(op, m):
    """What a stage of the storage is given beside its parameters."""
    given = [m.history] if op.stage == "units" else [m.store(None).units]
    if op.stage == "view" or (op.stage == "write" and op.needs_model):
        given.append(m.history)
    return [*given, m.services] if op.needs_model or op.needs_services else given


def check(op, params, made, m, asked, ranking):
    """The rules of each stage."""
    if op.stage in ("units", "write"):
        check_units(made, m.history)
    elif op.stage == "view":
        assert len(made) == len(m.store(None))
        assert all(isinstance(text, str) for text in made)
    elif op.stage == "query":
        assert made.questions == asked.questions
        assert (made.as_of == asked.as_of).all()
        assert len(made.queries) == len(asked)
    elif op.stage == "feature":
        assert made.dtype == np.float64
        assert made.shape == ranking.ids.shape
        assert np.isfinite(made).all()
    else:
        check_rankings(op, made, m, asked)


def check_units(units, history):
    assert units.offsets[0] == 0
    assert len(units.offsets) == len(units) + 1
    assert (np.diff(units.offsets) > 0).all(), "a unit without provenance"
    assert units.offsets[-1] == len(units.records) == len(units.starts) == len(units.ends)
    for u in range(len(units)):
        spans = range(units.offsets[u], units.offsets[u + 1])
        for s in spans:
            assert 0 <= units.starts[s] <= units.ends[s] <= len(history.texts[units.records[s]])
        shown = [history.texts[units.records[s]][units.starts[s] : units.ends[s]] for s in spans]
        assert units.written or units.texts[u] == JOIN.join(shown)
    assert all(len(texts) == len(units) for texts in units.views.values())
    assert units.valid_until is None or units.valid_until.shape == (len(units),)
    assert set(units.earlier) <= set(range(len(units)))


def check_rankings(op, made, m, asked):
    assert len(made) == len(asked)
    assert made.offsets[0] == 0
    assert made.offsets[-1] == len(made.ids) == len(made.scores)
    assert made.ids.dtype == np.int64
    assert made.scores.dtype == np.float64
    assert np.isfinite(made.scores).all()
    assert ((made.ids >= 0) & (made.ids < m.size)).all()
    for q in range(len(made)):
        ids, scores = made.of_question(q)
        assert len(set(ids.tolist())) == len(ids), "a unit twice in one ranking"
        if op.name in KEEPS_TIES:
            assert (np.diff(scores) <= 0).all(), "not sorted"
        elif op.name not in PLACES:
            assert (np.lexsort((ids, -scores)) == np.arange(len(ids))).all(), "not sorted, ties by id"


def same(a, b):
    """Whether two results are equal to the last bit."""
    if isinstance(a, Rankings):
        return all(np.array_equal(getattr(a, f), getattr(b, f)) for f in ("offsets", "ids", "scores"))
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b)
    if hasattr(a, "fingerprint"):
        return replace(a).fingerprint == replace(b).fingerprint
    if isinstance(a, Queries):
        return a.questions == b.questions and np.array_equal(a.as_of, b.as_of) and a.queries == b.queries
    return a == b


def frozen_copy(m, asked, ranking):
    """The inputs as they were before an operator ran."""
    units = m.store(None).units
    arrays = [units.offsets, units.records, units.starts, units.ends, m.history.times, asked.as_of]
    arrays += [ranking.offsets, ranking.ids, ranking.scores, m.times, m.sessions]
    return [a.copy() for a in arrays], m.history.texts, units.texts, asked.questions, asked.queries


def equal_inputs(before, after):
    return all(np.array_equal(a, b) for a, b in zip(before[0], after[0], strict=True)) and before[1:] == after[1:]


@pytest.mark.parametrize(("op", "params", "who"), CASES)
@pytest.mark.parametrize("name", SMALL)
def test_rules_hold_on_every_input(op, params, who, name):
    m, asked, ranking = memory(name, FLAT, who), queries(), incoming(name)
    before = frozen_copy(m, asked, ranking)
    made = run(op, params, m, asked, ranking)
    check(op, params, made, m, asked, ranking)
    assert equal_inputs(before, frozen_copy(m, asked, ranking)), "an input was changed"
    again = run(op, params, Memory(m.design, replace(m.history), services(who)), asked, ranking)
    assert same(made, again), "not deterministic"


@pytest.mark.parametrize(("op", "params", "who"), OF_QUESTIONS)
@pytest.mark.parametrize("name", ["scripts", "duplicates", "ordinary"])
def test_a_batch_gives_what_each_question_gives_alone(op, params, who, name):
    m, asked, ranking = memory(name, FLAT, who), queries(), incoming(name)
    together = run(op, params, m, asked, ranking)
    for q in range(len(asked)):
        row = np.array([q])
        alone = run(op, params, m, asked.select(row), ranking.select(row))
        if op.stage == "feature":
            assert same(alone, together[ranking.offsets[q] : ranking.offsets[q + 1]])
        else:
            assert same(alone, together.select(row))


@pytest.mark.parametrize(("op", "params", "who"), OF_QUESTIONS)
def test_no_questions_at_all(op, params, who):
    m, none = memory("ordinary", FLAT, who), np.zeros(0, np.int64)
    asked, ranking = queries().select(none), incoming("ordinary").select(none)
    check(op, params, run(op, params, m, asked, ranking), m, asked, ranking)


@pytest.mark.parametrize(("op", "params", "who"), OF_QUESTIONS)
@pytest.mark.parametrize("name", ["empty", "ordinary", "no_sessions"])
def test_ids_are_valid_with_two_stores(op, params, who, name):
    m, asked, ranking = memory(name, TWO, who), queries(), incoming(name, TWO)
    made = run(op, in_store(params, "second"), m, asked, ranking)
    check(op, params, made, m, asked, ranking)
    if op.stage == "retrieve" and "store" in op.params.model_fields:
        store = m.stores["second"]
        assert ((made.ids >= store.base) & (made.ids < store.base + len(store))).all()


@pytest.mark.parametrize(("op", "params", "who"), WITH_K)
@pytest.mark.parametrize("name", ["empty", "one", "ordinary"])
def test_k_above_the_number_of_units_is_clamped(op, params, who, name):
    wide = widest(params)
    m, asked, ranking = memory(name, FLAT, who), queries(), incoming(name)
    made = run(op, wide, m, asked, ranking)
    check(op, wide, made, m, asked, ranking)
    assert made.sizes.max(initial=0) <= m.size


@pytest.mark.parametrize(("op", "params", "who"), DEFAULTS)
def test_a_large_history(op, params, who):
    m, asked = memory(LARGE, FLAT, who), queries(LARGE_QUESTIONS)
    ranking = incoming(LARGE, FLAT, LARGE_QUESTIONS)
    check(op, params, run(op, params, m, asked, ranking), m, asked, ranking)


@pytest.mark.parametrize(("op", "params", "who"), WITH_FAILURE)
def test_a_model_that_fails_costs_what_it_would_have_added_and_nothing_else(op, params, who):
    m, asked, ranking = memory("ordinary", FLAT, who), queries(), incoming("ordinary")
    made = run(op, params, m, asked, ranking)
    if op.stage == "query":
        assert made.queries == asked.queries
    elif op.stage == "refine":
        assert made.ids.tolist() == ranking.ids.tolist()
    elif op.stage == "branch":
        found = [q for q in range(len(made)) if made.sizes[q]]
        assert found, "nothing is found for any question"
    elif op.stage == "write":
        assert made.texts == m.store(None).units.texts


def test_every_stage_is_here():
    assert {op.stage for op in OPERATORS} >= {"units", "view", "query", "retrieve", "fuse", "refine", "feature"}


def test_parameters_of_few_choices_are_all_tried():
    units = REGISTRY.get("units", "turns")
    assert {params.roles for params in settings(units)} == {None, ("user",), ()}
    assert {params.sources for params in settings(units)} == {None, ("user",), ()}
