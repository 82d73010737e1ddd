"""Every shipped design answers over a tiny history with a model that keeps to what it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from conformance.model_replies import obliging
from model_fakes import ScriptedModel, failing

import designsearch.designs
from designsearch.dsl.problems import InvalidFileError
from designsearch.dsl.validate import load_design_file
from designsearch.runtime.compile import compile_design
from designsearch.runtime.histories.fold import fold
from designsearch.runtime.operators import load_all
from designsearch.runtime.records import Queries, Record
from designsearch.runtime.services import Services

FOLDER = Path(designsearch.designs.__file__).parent
SHIPPED = sorted(FOLDER.rglob("*.yaml"))
SYSTEMS = sorted((FOLDER / "systems").glob("*.yaml"))

ASKS = {
    "aio-mem": set(),
    "aio-mem-policy": set(),
    "rag": set(),
    "mem0-2025": {"memory/facts", "memory/consolidate"},
    "a-mem": {"memory/note"},
    "lightmem": {"memory/facts", "memory/consolidate"},
    "langmem": {"memory/facts", "memory/consolidate"},
    "memorybank": {"memory/summary"},
    "gam": {"memory/summary", "memory/agent"},
    "emotional-rag": {"memory/describe"},
    "search-r1": {"policy/decide"},
    "mem1": {"policy/decide", "policy/extract"},
    "memagent": {"policy/extract"},
    "memory-r1": {"memory/facts", "memory/consolidate", "policy/extract"},
    "mem-alpha": {"policy/extract"},
}
"""What each system has a model do."""

TALK = (
    "I bought a red kayak",
    "Lovely, where?",
    "In Lisbon, for 300 euros",
    "Enjoy it!",
    "I sold my red kayak",
    "Why?",
    "The river is dry",
    "Sorry to hear that",
)
HISTORY = fold(
    [
        Record(
            id=f"r{i}",
            text=text,
            time=f"2024-03-{1 + i // 4:02d}T10:{i:02d}",
            author=("Ana", "Bot")[i % 2],
            role=("user", "assistant")[i % 2],
            session=f"s{i // 4}",
        )
        for i, text in enumerate(TALK)
    ],
    "tiny",
)
QUERIES = Queries.of(["Where did Ana buy the red kayak?", ""])


def opened(path, script):
    model = ScriptedModel(script)
    pipeline = compile_design(load_design_file(path, load_all()), 200, Services(helper=model))
    memory = pipeline.open(HISTORY)
    run = pipeline.search(memory, QUERIES)
    return memory, list(pipeline.contexts(memory, run, QUERIES)), model


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
@pytest.mark.parametrize("script", [obliging, failing], ids=["obliging", "failing"])
def test_it_finds_something_to_show_within_the_budget(path, script):
    _, contexts, _ = opened(path, script)
    assert contexts[0].units
    assert all(unit.records for unit in contexts[0].units)
    assert all(context.tokens <= 200 for context in contexts)
    assert len({unit.id for unit in contexts[0].units}) == len(contexts[0].units)


@pytest.mark.parametrize("path", SYSTEMS, ids=lambda path: path.stem)
def test_a_system_asks_its_model_for_what_it_says(path):
    _, _, model = opened(path, obliging)
    assert {request.purpose for request in model.requests} == ASKS[path.stem]


@pytest.mark.parametrize("path", [p for p in SYSTEMS if ASKS[p.stem]], ids=lambda path: path.stem)
def test_it_says_so_where_there_is_no_model(path):
    design = load_design_file(path, load_all())
    assert "Needs a model for the role helper." in design.about
    with pytest.raises(InvalidFileError, match="needs a model for the role helper"):
        compile_design(design)


@pytest.mark.parametrize("path", [p for p in SYSTEMS if ASKS[p.stem]], ids=lambda path: path.stem)
def test_its_about_says_what_is_left_out(path):
    assert "Left out:" in load_design_file(path, load_all()).about


def test_all_systems_are_here():
    assert {path.stem for path in SYSTEMS} == ASKS.keys()
