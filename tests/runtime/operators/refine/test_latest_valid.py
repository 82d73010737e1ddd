from __future__ import annotations

from model_fakes import ScriptedModel
from runtime_fakes import ask, call, memory_of, ranked, rows_of

from designsearch.runtime.services import Services

ENTRIES = [
    {"text": "Ana lives in Porto", "time": "2024-01-01"},
    {"text": "Ana lives in Lisbon", "time": "2024-02-01"},
    {"text": "figs", "time": "2024-02-02"},
]
TRACKED = "storage: {write: {op: consolidate, validity: true}}"
TWO = """
storage:
  stores:
    raw: {units: {op: records}}
    kept: {units: {op: records}, write: {op: consolidate, validity: true}}
retrieval: [{op: recent, store: raw}]
"""


def memory(design):
    superseding = ScriptedModel(lambda request: {"action": "delete", "target": 1, "text": ""})
    return memory_of(ENTRIES, design, Services(helper=superseding))


def kept(m, ids, as_of):
    asked = ask(*["?"] * len(as_of), as_of=as_of)
    return rows_of(call("cascade", "latest_valid", ranked(*[ids] * len(as_of)), asked, m))


def test_what_did_not_hold_any_more_when_the_question_was_asked():
    times = ["2024-01-15", "2024-01-31T23:59", "2024-02-01", "2024-03-01", None]
    assert kept(memory(TRACKED), [2, 0, 1], times) == [[2, 0, 1], [2, 0, 1], [2, 1], [2, 1], [2, 1]]


def test_stores_that_keep_no_track_are_left_alone():
    assert kept(memory("storage: {}"), [2, 0, 1], [None]) == [[2, 0, 1]]
    assert kept(memory(TWO), [3, 0, 4], [None, "2024-01-02"]) == [[0, 4], [3, 0, 4]]


def test_scores_stay():
    made = call("cascade", "latest_valid", ranked({0: 0.9, 1: 0.5}), ask("?"), memory(TRACKED))
    assert made.scores.tolist() == [0.5]
