from __future__ import annotations

import sqlite3
import threading
import time

import numpy as np
import optuna
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import TrialState

from designsearch.dsl.problems import CannotContinueError
from designsearch.search.ledger import Ledger, Parameter, read_ledger

PARAMETERS = {
    "bm25.k": Parameter(200, IntDistribution(20, 1000, log=True)),
    "bm25.b": Parameter(0.75, FloatDistribution(0, 1)),
    "context.group_by": Parameter(None, CategoricalDistribution((None, "day", "session"))),
}


@pytest.fixture(params=["journal", "sqlite"])
def storage(request, tmp_path):
    return str(tmp_path / "journal.log") if request.param == "journal" else f"sqlite:///{tmp_path / 'study.db'}"


def ledger_at(storage, said=None, objective="accuracy"):
    return Ledger(storage, "demo", objective, (said if said is not None else []).append)


def loaded(storage):
    backend = storage
    if "://" not in storage:
        from optuna.storages import JournalStorage
        from optuna.storages.journal import JournalFileBackend

        backend = JournalStorage(JournalFileBackend(storage))
    return optuna.load_study(study_name="demo", storage=backend)


def test_scored_is_complete_and_unscored_is_fail(storage):
    ledger = ledger_at(storage)
    first = ledger.begin(PARAMETERS, {"ordinal": 0})
    ledger.complete(first, 0.5, {"decision": "accepted", "design_hash": "abc"})
    second = ledger.begin({}, {"ordinal": 1})
    ledger.fail(second, "invalid", {"reason": "no such operator"})
    study = loaded(storage)
    assert [trial.state for trial in study.trials] == [TrialState.COMPLETE, TrialState.FAIL]
    assert study.direction.name == "MAXIMIZE"
    assert study.metric_names == ["accuracy"]
    assert study.trials[0].params == {"bm25.k": 200, "bm25.b": 0.75, "context.group_by": None}
    assert study.trials[0].user_attrs == {"ordinal": 0, "decision": "accepted", "design_hash": "abc"}
    assert study.trials[1].user_attrs == {"ordinal": 1, "decision": "invalid", "reason": "no such operator"}

    entries = ledger_at(storage).entries()
    assert [(e.number, e.scored, e.running, e.value, e.decision) for e in entries] == [
        (0, True, False, 0.5, "accepted"), (1, False, False, None, "invalid"),
    ]  # fmt: skip
    assert entries[0].params == study.trials[0].params


def test_values_that_a_storage_cannot_hold_come_back_as_plain_ones(storage):
    ledger = ledger_at(storage)
    number = ledger.begin({}, {"gain": np.float32(0.25), "nan": float("nan"), "by": {3: (1, 2)}, "text": "x" * 300_000})
    ledger.complete(number, np.float64(0.5), {"decision": "rejected", "gains": np.int64(4)})
    attrs = ledger_at(storage).entries()[0].attrs
    assert attrs["gain"] == 0.25
    assert attrs["nan"] is None
    assert attrs["by"] == {"3": [1, 2]}
    assert attrs["gains"] == 4
    assert len(attrs["text"]) == 1000


def test_a_stale_trial_is_marked_and_counted_once(storage):
    ledger = ledger_at(storage)
    ledger.begin(PARAMETERS, {"ordinal": 0})
    again = ledger_at(storage)
    assert again.interrupt_stale() == [0]
    assert again.interrupt_stale() == []
    entry = again.entries()[0]
    assert (entry.decision, entry.running, entry.scored) == ("interrupted", False, False)
    assert loaded(storage).trials[0].state == TrialState.FAIL


def test_a_trial_that_somebody_enqueued_is_not_taken_for_a_proposal(storage):
    ledger_at(storage)
    loaded(storage).enqueue_trial({"bm25.k": 5})
    ledger = ledger_at(storage)
    assert ledger.interrupt_stale() == []
    number = ledger.begin(PARAMETERS, {"ordinal": 0})
    assert loaded(storage).trials[number].params["bm25.k"] == 200


def test_a_range_may_widen(storage):
    ledger = ledger_at(storage)
    ledger.complete(ledger.begin(PARAMETERS, {}), 0.5, {"decision": "rejected"})
    wider = {"bm25.k": Parameter(3000, IntDistribution(20, 3000, log=True))}
    ledger.complete(ledger.begin(wider, {}), 0.6, {"decision": "rejected"})
    assert [entry.params["bm25.k"] for entry in ledger.entries()] == [200, 3000]


def test_another_direction_is_refused(storage):
    ledger_at(storage)
    other = storage.replace("journal.log", "other.log").replace("study.db", "other.db")
    if "://" in other:
        optuna.create_study(storage=other, study_name="demo", direction="minimize")
    else:
        from optuna.storages import JournalStorage
        from optuna.storages.journal import JournalFileBackend

        optuna.create_study(storage=JournalStorage(JournalFileBackend(other)), study_name="demo", direction="minimize")
    with pytest.raises(CannotContinueError, match="is to be minimised") as error:
        ledger_at(other)
    assert error.value.exit_code == 4


def test_another_metric_is_refused(storage):
    ledger_at(storage)
    with pytest.raises(CannotContinueError, match="is about accuracy, not evidence_recall"):
        ledger_at(storage, objective="evidence_recall")


def test_a_file_that_is_no_journal_is_refused(tmp_path):
    path = tmp_path / "journal.log"
    path.write_text('{"hello": 1}\n', encoding="utf-8")
    with pytest.raises(CannotContinueError, match="is not a journal of Optuna 5"):
        ledger_at(str(path))


def test_a_locked_database_is_waited_for(tmp_path):
    path = tmp_path / "study.db"
    ledger = ledger_at(f"sqlite:///{path}")
    number = ledger.begin({}, {})
    other = sqlite3.connect(path, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    threading.Timer(0.5, other.rollback).start()
    began = time.monotonic()
    ledger.complete(number, 0.5, {"decision": "accepted"})
    assert time.monotonic() - began >= 0.3
    other.close()
    assert ledger.entries()[0].value == 0.5


def test_the_ledger_is_read_without_being_written(storage, tmp_path):
    ledger = ledger_at(storage)
    ledger.begin({}, {"ordinal": 0})
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.suffix == ".log"}
    _attrs, entries = read_ledger(storage, "demo")
    assert entries[0].running
    assert {path: path.read_bytes() for path in before} == before
    with pytest.raises(CannotContinueError, match="there is no study nobody"):
        read_ledger(storage, "nobody")
