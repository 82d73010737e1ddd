"""Replies of a model that acts by the tools of an episode, and worlds for it."""

from __future__ import annotations

from model_fakes import ScriptedModel
from runtime_fakes import WordCounter, ask, memory_of, stage

from designsearch.runtime.policies.llm import make
from designsearch.runtime.policies.rollout import World, rollout
from designsearch.runtime.services import Services

TALK = [
    {"text": text, "author": author, "session": session, "time": f"2024-05-0{day}T10:00:00"}
    for text, author, session, day in [
        ("We took the kayak down the river", "Ann", "a", 1),
        ("Was the kayak new", "Ben", "a", 1),
        ("Tea in the garden", "Ann", "b", 2),
        ("The kayak was sold to Cleo", "Ann", "c", 3),
        ("Cleo paid with a bicycle", "Ben", "c", 3),
    ]
]
"""Three sessions: unit 0 has two turns, unit 1 one, unit 2 two."""

SESSIONS = "storage: {units: {op: sessions}}"


def search(query):
    return {"tool": "search_memory_units", "arguments": {"query": query}}


def note(unit, *turns, content="a clue", time=""):
    arguments = {"event_id": f"E{unit}", "datetime": time, "content": content, "evidence_turns": list(turns)}
    return {"tool": "add_note", "arguments": arguments}


def skip(reason="nothing there"):
    return {"tool": "skip_extraction", "arguments": {"reason": reason}}


STOP = {"tool": "answer_from_notes", "arguments": {}}


def replies(*values):
    """A script: one reply after another, however many are asked together."""
    given = iter(values)
    return lambda request: next(given)


def world_of(script, *questions, entries=TALK, design=SESSIONS, cascade=("bm25", {"k": 2}), **settings):
    """A world with a scripted helper, and the helper."""
    model = ScriptedModel(script)
    m = memory_of(entries, design, Services(helper=model, counter=WordCounter()))
    op, params = cascade
    asked = ask(*(questions or ["Who has the kayak now"]), as_of="2024-05-09")
    return World(m, asked, (stage("cascade", op, **params),), **settings), model


def played(script, *questions, **settings):
    """The episodes of a scripted helper, and the helper."""
    world, model = world_of(script, *questions, **settings)
    return rollout(world, make(world, None)), model


def offered(request):
    """The names of the tools of a request."""
    return [tool.name for tool in request.tools]


def texts(request):
    """All that a request says."""
    return "\n".join(message.content for message in request.messages)
