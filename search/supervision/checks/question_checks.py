"""What a program can tell about a question's words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from designsearch.search.metrics.dates import parse_date
from designsearch.search.supervision.checks.faults import Fault
from designsearch.search.supervision.checks.leaks import leaked
from designsearch.search.supervision.checks.stand_alone import dangling
from designsearch.search.supervision.contracts import Material
from designsearch.search.supervision.plans import Plan

LONGEST = 400
"""Characters of a question."""
SHORTEST = 3
"""Words of a question."""

_MARKS = ("?", "\uff1f", "\u061f", "\u037e", "\u055e")
"""Question marks of several scripts; Spanish and most others use the first."""
_NUMBERED = re.compile(
    r"\b(?:records?|sources?|messages?|facts?|documents?|evidence|ids?)\s*(?:#|no\.?|number|id)?\s*\[?\d+\b|\[\d+\]",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[_:/#.@\\-]")


def check_question(question: str, plan: Plan, material: Material, as_of: str | None = None) -> list[Fault]:
    """All faults of a question; none where it can go on.

    Args:
        question: its words.
        plan: what it is to ask.
        material: the bundle, whose ids must not appear.
        as_of: ISO 8601 time of asking, from which the question's relative dates count.
    """
    return list(_faults(question, plan, material, as_of))


def _faults(question: str, plan: Plan, material: Material, as_of: str | None) -> Iterator[Fault]:
    line = " ".join(question.split())
    if not any(c.isalnum() for c in line):
        yield Fault("no question")
        return
    if len(line) > LONGEST:
        yield Fault("question too long", f"{len(line)} characters, at most {LONGEST}")
        line = line[:LONGEST]
    elif not line.rstrip("\"'”’»)").endswith(_MARKS) or _words(line) < SHORTEST:
        yield Fault("not a question", line[-40:])
    shown = _id_in(line, plan, material)
    if shown:
        yield Fault("record id in the question", shown)
    answer = leaked(line, plan, as_of)
    if answer:
        yield Fault("answer in the question", answer)
    pointer = dangling(line)
    if pointer:
        yield Fault("question does not stand alone", pointer)


def _words(line: str) -> int:
    """Its words; a script without spaces counts by characters."""
    return len(line.split()) if line.isascii() else max(len(line.split()), len(line) // 3)


def _id_in(line: str, plan: Plan, material: Material) -> str:
    """The id of a record or a fact, or what looks like a number of a record, in a question."""
    said = "\n".join(source.text for source in material.sources)
    ids = [source.record for source in material.sources]
    ids += [fact.id for fact in plan.facts if fact.id not in said]  # a text may be about an F1
    for one in filter(_is_telling, ids):
        if re.search(rf"(?<![\w-]){re.escape(one)}(?![\w-])", line):
            return one
    numbered = _NUMBERED.search(line)
    return numbered[0] if numbered else ""


def _is_telling(name: str) -> bool:
    """Whether an id cannot be an ordinary word, number or date of a question."""
    if name.isdigit() or parse_date(name) is not None or not name.strip():
        return False
    return any(c.isdigit() for c in name) or bool(_SEPARATOR.search(name))
