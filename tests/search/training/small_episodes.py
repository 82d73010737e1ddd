"""A small memory of five records and episodes in it, for the tests of reward models."""

from __future__ import annotations

from designsearch.dsl.validate import load_design
from designsearch.runtime.compile import compile_design
from designsearch.runtime.episodes.states import Candidate, Search, State, Taken, Trajectory, transition
from designsearch.runtime.histories.fold import fold
from designsearch.runtime.operators import load_all
from designsearch.runtime.policies.notes import note_of
from designsearch.runtime.records import Evidence, Query, Question, Record
from designsearch.search.training.judging.judged import Judged

DESIGN = """
version: 1
storage: {units: {op: records}}
retrieval:
  - op: policy
    policy: rules
    search: [{op: bm25, k: 3}]
"""

TEXTS = (
    "The ferry to Texel leaves at 9:30.",
    "I will remind you of the ferry.",
    "Our dog is called Miso.",
    "Miso ate 3 socks today.",
    "Rent is 840 euros from May on.",
)

QUESTION = Question(
    id="q1",
    question="When does the ferry to Texel leave, and what is the rent?",
    answer="at 9:30; 840 euros",
    alternatives=("half past nine",),
    as_of="2025-05-01",
    evidence=(Evidence("r0"), Evidence("r4", "Rent is 840 euros")),
)


def design():
    """Records, and rules that look for them."""
    return load_design(DESIGN, registry=load_all())


def memory(texts=TEXTS):
    """The memory; record ``i`` is unit ``i``."""
    records = [
        Record(id=f"r{i}", text=text, time=f"2025-03-0{i + 1}", author="Ida", role="user")
        for i, text in enumerate(texts)
    ]
    return compile_design(design()).open(fold(records, "h"))


def search(text, *units):
    """A search and what it found."""
    return Search(Query("keywords", text)), tuple(Candidate(unit, 1.0) for unit in units)


def episode(*actions, question=QUESTION.question, max_steps=8, rule="append"):
    """The trajectory of some actions; a search comes with what it found."""
    state, steps = State(question, max_steps=max_steps, rule=rule), []
    for item in actions:
        action, found = item if isinstance(item, tuple) else (item, ())
        steps.append(Taken(state, action, found))
        state = transition(state, action, found)
    return Trajectory(tuple(steps), state)


def judged(held, *actions, question=QUESTION, rule="append"):
    """An episode of the question in a memory."""
    return Judged(question, episode(*actions, question=question.question, rule=rule), held)


def note(held, unit, content=""):
    """A note of a whole unit."""
    return note_of(held, unit, content)
