"""Small plans over small records, for tests."""

from __future__ import annotations

from designsearch.search.supervision.contracts import Draft, Material, Source
from designsearch.search.supervision.plans import Citation, Contribution, Fact, Operation, Plan

TEXTS = {
    "m-1": ("Bought a bicycle from Otto for 120 euros.", "2024-03-05T10:00", "Ulla"),
    "m-2": ("Otto moved to Lisbon yesterday.", "2024-03-09T10:00", "Ulla"),
    "m-3": ("Sold the bicycle again, for 90 euros.", "2024-04-01T10:00", "Ulla"),
    "m-4": ("It rained all day.", "2024-04-02T10:00", "Ulla"),
}


def source(record: str, text: str | None = None, time: str | None = None, author: str = "Ulla") -> Source:
    known = TEXTS.get(record, ("", "", author))
    return Source(
        record,
        list(TEXTS).index(record) if record in TEXTS else 99,
        known[0] if text is None else text,
        known[1] if time is None else time,
        author,
    )


def material(*sources: Source) -> Material:
    return Material(0, sources or tuple(source(record) for record in TEXTS), (), 7)


def fact(name: str, record: str, quote: str, value=None, about: str = "", statement: str = "") -> Fact:
    start = TEXTS[record][0].index(quote)
    return Fact(name, statement or quote, (Citation(record, start, start + len(quote), quote),), value, about)


def plan(facts, op: str, answer, answer_type: str = "text", how: str = "", intent: str = "what is asked") -> Plan:
    operation = Operation(op, tuple(one.id for one in facts), "answer", answer, how)
    records = dict.fromkeys(citation.record for one in facts for citation in one.citations)
    evidence = tuple(Contribution(record, "says a part") for record in records)
    return Plan(intent, answer_type, answer, tuple(facts), evidence, (operation,), op)


PRICE = plan([fact("f1", "m-1", TEXTS["m-1"][0], "120 euros", "the bicycle")], "lookup", "120 eur", "number")
"""A sound plan of one record."""


def draft(made: Plan = PRICE, question: str = "How much did Ulla pay for the bike?", *sources: Source) -> Draft:
    return Draft(material(*sources), made, question, "2024-06-01T12:00")
