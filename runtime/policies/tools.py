"""The tools by which a model acts in an episode, and the action that its calls come to.

Names and arguments are those of AiO-Mem (Wang et al. 2026, appendix G.1).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from designsearch.runtime.episodes.states import Action, ActionType, Add, Note, Search, Skip, Stop
from designsearch.runtime.models.prompted import object_of
from designsearch.runtime.models.requests import Tool
from designsearch.runtime.policies.observation import Citable, event_id
from designsearch.runtime.records import Query

MOST_NOTES = 10
"""Notes that one reply may write."""

LONGEST_QUERY = 1000
"""Characters of a query that are searched for."""

LONGEST_CONTENT = 2000
"""Characters of a clue, or of why nothing was written, that are kept: each further request shows all clues."""

TOOLS: dict[ActionType, Tool] = {
    "search": Tool(
        "search_memory_units",
        "Search the history for events about one thing that the notes do not say yet.",
        object_of(query={"type": "string"}),
    ),
    "stop": Tool(
        "answer_from_notes", "End the search: the question is answered from the notes as they are.", object_of()
    ),
    "add": Tool(
        "add_note",
        "Write down one clue of an event, with the numbers of the turns that say it.",
        object_of(
            event_id={"type": "string"},
            datetime={"type": "string"},
            content={"type": "string"},
            evidence_turns={"type": "array", "items": {"type": "integer"}},
        ),
    ),
    "skip": Tool(
        "skip_extraction",
        "Write nothing down: nothing that was found helps to answer the question.",
        object_of(reason={"type": "string"}),
    ),
}
"""By type of action."""

_ID = re.compile(r"\bE\d+\b")

_TYPES = {tool.name: type_ for type_, tool in TOOLS.items()}


class RefusedCallsError(Exception):
    """Calls that are no action.

    Attributes:
        reasons: what is wrong, for the model, a line each.
        notes: the notes among them with which nothing is wrong.
    """

    def __init__(self, reasons: Sequence[str], notes: Sequence[Note] = ()) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = tuple(reasons)
        self.notes = tuple(notes)


def read_calls(
    calls: Sequence[Mapping[str, Any]], offered: Collection[ActionType], shown: Citable, times: Mapping[int, str]
) -> Action:
    """The action that the calls of a reply come to.

    Args:
        calls: each ``{"tool": NAME, "arguments": {...}}``, the arguments checked against the tool.
        offered: the types of action that the model was offered.
        shown: the source text that it was shown; nothing else can be cited.
        times: the time of each unit in it as the history says it.

    Raises:
        RefusedCallsError: they are none: the query is empty, tools are mixed, a note cites an event or a turn that was
            not shown.
    """
    types = [_TYPES.get(call["tool"]) for call in calls]
    if not calls or any(type_ not in offered for type_ in types):
        names = ", ".join(TOOLS[type_].name for type_ in offered)
        raise RefusedCallsError([f"only {names} can be called here"])
    if len(set(types)) > 1:
        raise RefusedCallsError(["call add_note for each clue, or skip_extraction alone, not both"])
    if types[0] == "add":
        return _add(calls, shown, times)
    arguments = calls[0]["arguments"]
    if types[0] == "search":
        query = " ".join(arguments["query"][:LONGEST_QUERY].split())
        if not query:
            raise RefusedCallsError(["the query is empty"])
        return Search(Query("question", query), "model")
    return Skip(arguments["reason"][:LONGEST_CONTENT]) if types[0] == "skip" else Stop()


def _add(calls: Sequence[Mapping[str, Any]], shown: Citable, times: Mapping[int, str]) -> Add:
    reasons: list[str] = []
    notes: list[Note] = []
    for number, call in enumerate(calls, 1):
        made = _note(call["arguments"], shown, times)
        if isinstance(made, Note):
            notes.append(made)
        else:
            reasons.append(f"note {number}: {made}")
    if reasons:
        raise RefusedCallsError(reasons, notes)
    return Add(tuple(notes))


def _note(arguments: Mapping[str, Any], shown: Citable, times: Mapping[int, str]) -> Note | str:
    """The note, its time and evidence taken from the history; or what is wrong with it."""
    units = {event_id(unit): unit for unit in shown}
    named = set(_ID.findall(arguments["event_id"].upper()))
    unit = units.get(named.pop()) if len(named) == 1 else None
    if unit is None:
        return f"there is no event of that id; the events are {', '.join(units) or 'none'}"
    turns = shown[unit]
    wanted = sorted(set(arguments["evidence_turns"]))
    known = ", ".join(map(str, sorted(turns)))
    if not wanted:
        return f"it cites no turn; {event_id(unit)} shows the turns {known}"
    unknown = [turn for turn in wanted if turn not in turns]
    if unknown:
        return f"{event_id(unit)} shows no turn {unknown[0]}; it shows the turns {known}"
    return Note(
        unit, tuple(turns[turn] for turn in wanted), times[unit], arguments["content"].strip()[:LONGEST_CONTENT]
    )
