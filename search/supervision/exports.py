"""Generated questions as other optimisers read them: JSON lines.

Locked questions are left out: what another optimiser learns from could then no longer be claimed on here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from designsearch.search.supervision.items import Item
from designsearch.search.supervision.outcome import Supervision

LOCKED = "locked"


def questions_lines(made: Mapping[str, Supervision]) -> str:
    """One line a question: history, part, question, answer, evidence with the passages that the answer rests on."""
    return _text(_full(history, item) for history, item in _items(made))


def pairs_lines(made: Mapping[str, Supervision]) -> str:
    """One line a question: question and answer alone; those that the history does not answer are left out."""
    return _text(
        {"question": item.question.question, "answer": item.question.answer}
        for _, item in _items(made)
        if item.question is not None and item.question.answerable
    )


def _items(made: Mapping[str, Supervision]) -> Iterator[tuple[str, Item]]:
    for history, supervision in made.items():
        for part, items in supervision.items.items():
            if part != LOCKED:
                yield from ((history, item) for item in items)


def _full(history: str, item: Item) -> dict[str, Any]:
    question, plan = item.question, item.plan or {}
    assert question is not None
    quotes: dict[str, list[str]] = {}
    for fact in plan.get("facts", ()):
        for citation in fact["citations"]:
            own = quotes.setdefault(citation["record"], [])
            if citation["quote"] not in own:
                own.append(citation["quote"])
    return {
        "history": history,
        "part": item.part,
        "id": question.id,
        "question": question.question,
        "answer": question.answer,
        "answer_type": question.answer_type,
        "answerable": question.answerable,
        "type": question.type,
        "as_of": question.as_of,
        "evidence": [{"record": one.record, "quotes": quotes.get(one.record, [])} for one in question.evidence],
    }


def _text(lines: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
