"""A small history that grows and changes, with questions, for tests of evaluation."""

from __future__ import annotations

from designsearch.dsl.validate import load_design
from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.operators import load_all
from designsearch.runtime.records import Evidence, Question, Record
from designsearch.search.evaluate import Task

REGISTRY = load_all()


def design_of(text):
    """A design from YAML without its version."""
    return load_design("version: 1\n" + text, registry=REGISTRY)


def record(i, text, **more):
    """A record of day ``i`` of January 2024."""
    fields = {"time": f"2024-01-{i:02d}T12:00", "author": ("Ana", "Ben")[i % 2], "session": f"s{i // 4}"}
    return Record(id=more.pop("id", f"r{i}"), text=text, **{**fields, **more})


EVENTS = (
    record(1, "I adopted a kitten. Her name is Miso."),
    record(2, "The tram ticket costs 3 euros."),
    record(3, "My kitten likes fish. She is called Miso by all."),
    record(4, "Green tea is what I drink. It is healthy."),
    record(5, "Rain again today."),
    record(6, "The kitten broke a cup. It was blue."),
    record(9, "Her name is Taro now.", id="r1", event="edit", known_at="2024-01-09T12:00", time=None),
    record(10, "The tram ticket costs 4 euros.", id="r2", event="edit", known_at="2024-01-10T12:00", time=None),
    record(11, "The kitten moved to Lisbon with Zoe.", session="s0"),
    record(12, "Lisbon kitten photos.", id="r5", event="delete", known_at="2024-01-12T12:00", time=None),
    record(13, "Secret Lisbon tram kitten name is Zanzibar.", known_at="2024-01-20T12:00"),
    record(14, "Kitten, kitten, kitten and tram in Lisbon, said Zanzibar."),
)

QUESTIONS = (
    Question("q1", "What is the name of the kitten?", "Miso", as_of="2024-01-07T12:00", evidence=(Evidence("r1"),)),
    Question("q2", "How much is a tram ticket?", "3 euros", as_of="2024-01-08", evidence=(Evidence("r2"),)),
    Question("q3", "What did I drink before 6 January?", "green tea", as_of="2024-01-05", evidence=(Evidence("r4"),)),
    Question(
        "q4",
        "Who is the kitten with in Lisbon now?",
        "Zoe",
        as_of="2024-01-12T13:00",
        evidence=(Evidence("r11", "The kitten moved to Lisbon with Zoe."), Evidence("r3")),
    ),
    Question("q5", "What did Ana say yesterday?", "nothing", as_of="2023-12-24", answerable=False),
    Question("q6", "Which cup broke?", "the blue one", evidence=(Evidence("r6"), Evidence("gone"))),
)


def task_of(events=EVENTS, questions=QUESTIONS):
    """The history with its questions."""
    return Task(Dataset("h", tuple(events), tuple(questions)), tuple(questions))
