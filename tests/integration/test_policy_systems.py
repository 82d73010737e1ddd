"""The published memory policies as designs, with a helper that acts as each of them would."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conformance.model_replies import obliging
from model_fakes import ScriptedModel, quoted_in

import designsearch.designs
from designsearch.dsl.validate import load_design_file
from designsearch.runtime.histories.fold import fold
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators import load_all
from designsearch.runtime.pipeline import run_cascade
from designsearch.runtime.records import Queries, Record
from designsearch.runtime.services import Services

FOLDER = Path(designsearch.designs.__file__).parent / "systems"
DAYS = 12
HISTORY = fold(
    [
        Record(
            id=f"r{i}",
            text=("The kayak is kept at pier " if i % 2 else "Where is the kayak kept now, at pier ")
            + f"{i // 2}? " * 700,
            time=f"2024-03-{1 + i // 2:02d}T10:{i % 2:02d}",
            author=("Ana", "Bot")[i % 2],
            role=("user", "assistant")[i % 2],
            session=f"s{i // 2}",
        )
        for i in range(2 * DAYS)
    ],
    "piers",
)


def acting(request):
    """Searches twice and then stops; notes the last event of what it is shown, and nothing else."""
    tools = [tool.name for tool in request.tools]
    if "add_note" in tools:
        shown = re.findall(r"^Event (E\d+):\n<event", request.messages[1].content, re.MULTILINE)
        turns = [int(n) for n in re.findall(r"^turn (\d+):", quoted_in(request, "event")[-1], re.MULTILINE)]
        arguments = {"event_id": shown[-1], "datetime": "", "content": "where it is", "evidence_turns": turns}
        return [{"tool": "add_note", "arguments": arguments}]
    if "search_memory_units" in tools:
        searched = len(quoted_in(request, "query"))
        if searched < 2:
            return {"tool": "search_memory_units", "arguments": {"query": f"kayak pier {searched + 3}"}}
        return {"tool": "answer_from_notes", "arguments": {}}
    return obliging(request)


def explored(name):
    model = ScriptedModel(acting)
    m = Memory(load_design_file(FOLDER / f"{name}.yaml", load_all()), HISTORY, Services(helper=model))
    run = run_cascade(m, m.design.retrieval, Queries.of(["Where is the kayak kept?"]))
    (episode,) = run.steps[-1].episodes
    assert not episode.forced
    told = m.design.retrieval[0].params.instructions
    assert all(told in one.messages[0].content for one in model.requests if one.purpose.startswith("policy/"))
    assert run.ranking.ids.tolist() == list(dict.fromkeys(note.unit for note in episode.notes))
    return m, episode, model


def kinds(episode):
    return [step.action.type for step in episode.steps]


def test_search_r1_keeps_all_that_it_was_shown():
    _, episode, model = explored("search-r1")
    assert kinds(episode) == ["search", "add", "search", "add", "stop"]
    found = {one.unit for step in episode.steps for one in step.found}
    assert {note.unit for note in episode.notes} == found
    assert len(found) > 3
    assert len(quoted_in(model.requests[-1], "note")) == len(found)


def test_mem1_keeps_its_last_state_alone():
    _, episode, _ = explored("mem1")
    assert kinds(episode) == ["search", "add", "search", "add", "stop"]
    assert [note.unit for note in episode.notes] == [episode.steps[2].found[-1].unit]


@pytest.mark.parametrize(("name", "limit"), [("memagent", 5000), ("mem-alpha", 2000)])
def test_the_history_is_read_once_in_order(name, limit):
    m, episode, model = explored(name)
    read = [one.unit for step in episode.steps for one in step.found]
    assert read == list(range(m.size))
    parts = [step.found for step in episode.steps if step.found]
    assert len(parts) > 2
    assert len(model.requests) == len(parts)
    counter = m.services.counter
    assert all(counter.count_all([m.text(one.unit) for one in part]).sum() <= limit or len(part) == 1 for part in parts)


def test_memagent_ends_with_what_it_wrote_last():
    m, episode, _ = explored("memagent")
    assert [note.unit for note in episode.notes] == [m.size - 1]


def test_mem_alpha_ends_with_a_note_of_each_part():
    _, episode, _ = explored("mem-alpha")
    assert [note.unit for note in episode.notes] == [step.found[-1].unit for step in episode.steps if step.found]


def test_memory_r1_searches_facts_once_and_keeps_some():
    m, episode, model = explored("memory-r1")
    assert kinds(episode) == ["search", "add", "stop"]
    assert m.store(None).units.written
    (last,) = [request for request in model.requests if request.purpose == "policy/extract"]
    assert "text: " in quoted_in(last, "event")[0]
    assert len(episode.notes) == 1
