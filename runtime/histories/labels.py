"""What a data set says of its own answers, taken out of the records before a memory sees them.

Data sets mark the turn that holds an answer, name its session ``answer_...``, or put summaries made for their
questions beside it. A memory that stores any of it is told where to look. The labels go; where the id of a session
gives it away, all sessions of the history are numbered anew, because the ones that kept their names would tell as much.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.records import Evidence, Question, Record

LABELS = frozenset({
    "has_answer", "answer_session_ids", "answer_sessions", "answer_session_id", "is_answer", "is_evidence", "evidence",
    "supporting_evidence", "observation", "observations", "event_summary", "session_summary",
    "question_id", "question_ids", "question_type", "correct_answer", "all_options", "adversarial_answer", "side_note",
    "haystack_session_ids", "end_index_in_shared_context", "distance_to_ref_in_blocks", "distance_to_ref_in_tokens",
})  # fmt: skip
"""Keys of ``meta`` that speak of questions and answers, in lower case."""

_TELLING = re.compile(r"answer_|.*(?<![A-Za-z])answer_[0-9a-f]{6}", re.IGNORECASE | re.DOTALL)
"""Names that say that answers are in what they name, also where something stands before."""


def without_labels(dataset: Dataset) -> Dataset:
    """The data set with records that say nothing of its questions; what was taken out stands in the report."""
    report = LoadReport()
    report.merge(dataset.report)
    events = tuple(_unlabelled(event, report) for event in dataset.events)
    if any(_TELLING.match(event.session) or _TELLING.match(event.id) for event in events):
        ids, sessions = _new_names(events)
        report.note("sessions numbered anew, as their names tell which of them hold answers", number=len(sessions))
        events = tuple(_renamed(event, ids, sessions) for event in events)
        return replace(dataset, events=events, questions=_follow(dataset.questions, ids), report=report)
    return replace(dataset, events=events, report=report)


def _unlabelled(event: Record, report: LoadReport) -> Record:
    """The event without labels in its ``meta``, at any depth."""
    if not event.meta:
        return event
    found: list[str] = []
    meta = _kept(event.meta, found)
    for key in found:
        report.note(f"labels taken out of the records: {key}")
    return replace(event, meta=meta) if found else event


def _kept(value: Any, found: list[str]) -> Any:
    """A value without the labels in it; ``found`` gets their keys."""
    if isinstance(value, dict):
        labels = [key for key in value if str(key).lower() in LABELS]
        found += map(str, labels)
        return {key: _kept(item, found) for key, item in value.items() if key not in labels}
    return [_kept(item, found) for item in value] if isinstance(value, list) else value


def _new_names(events: tuple[Record, ...]) -> tuple[dict[str, str], dict[str, str]]:
    """New ids of records and sessions, numbered in order of arrival."""
    sessions = {name: f"session-{n}" for n, name in enumerate(dict.fromkeys(e.session for e in events if e.session), 1)}
    ids: dict[str, str] = {}
    for event in events:
        ids.setdefault(event.id, f"record-{len(ids) + 1}")
    return ids, sessions


def _renamed(event: Record, ids: Mapping[str, str], sessions: Mapping[str, str]) -> Record:
    """The event under its new names; a reference to what is not there goes, as its name may tell too."""
    return replace(
        event,
        id=ids[event.id],
        session=sessions.get(event.session, ""),
        reply_to=ids.get(event.reply_to, ""),
        refs=tuple(ids[ref] for ref in event.refs if ref in ids),
        meta=_untold(event.meta, sessions),
    )


def _untold(value: Any, sessions: Mapping[str, str]) -> Any:
    """A value of ``meta`` without names of sessions."""
    if isinstance(value, dict):
        return {key: _untold(item, sessions) for key, item in value.items() if not _tells(item, sessions)}
    if isinstance(value, list):
        return [_untold(item, sessions) for item in value if not _tells(item, sessions)]
    return value


def _tells(value: Any, sessions: Mapping[str, str]) -> bool:
    return isinstance(value, str) and (value in sessions or _TELLING.match(value) is not None)


def _follow(questions: tuple[Question, ...], ids: Mapping[str, str]) -> tuple[Question, ...]:
    """The questions with their evidence under the new names."""

    def named(one: Evidence) -> Evidence:
        return replace(one, record=ids.get(one.record, one.record))

    return tuple(replace(q, evidence=tuple(map(named, q.evidence))) for q in questions)
