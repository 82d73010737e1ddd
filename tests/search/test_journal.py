import json
import time

import optuna
import pytest
from optuna.storages import JournalStorage

from designsearch.dsl.problems import CannotContinueError
from designsearch.search.journal import BatchingJournal, repair_journal


def study_in(path):
    return optuna.create_study(storage=JournalStorage(BatchingJournal(path)), study_name="s", load_if_exists=True)


@pytest.fixture
def journal(tmp_path):
    path = tmp_path / "journal.log"
    study = study_in(path)
    for value in (0.1, 0.2):
        study.tell(study.ask(), value)
    return path


@pytest.mark.parametrize("torn", [b'{"op_code":6,"wor', b"\x00\x00\x00", b'{"op_code":4,"study_id":0}', b'{"op": tr\n'])
def test_a_torn_last_line_is_cut_off_and_a_copy_is_kept(journal, torn):
    whole = journal.read_bytes()
    journal.write_bytes(whole + torn)
    said = []
    repair_journal(journal, said.append)
    assert journal.read_bytes() == whole
    assert (journal.parent / "journal.log.torn-1").read_bytes() == whole + torn
    assert len(said) == 1
    assert "kept as journal.log.torn-1" in said[0]
    study = study_in(journal)
    study.tell(study.ask(), 0.3)
    assert [trial.value for trial in study_in(journal).trials] == [0.1, 0.2, 0.3]


def test_a_whole_journal_is_left_alone(journal):
    whole = journal.read_bytes()
    said = []
    repair_journal(journal, said.append)
    assert (journal.read_bytes(), said) == (whole, [])
    assert [path.name for path in journal.parent.iterdir()] == ["journal.log"]


def test_each_repair_keeps_a_copy_of_its_own(journal):
    for number in (1, 2):
        with journal.open("ab") as file:
            file.write(b"{torn")
        repair_journal(journal, print)
        assert (journal.parent / f"journal.log.torn-{number}").exists()


def test_damage_before_the_end_is_refused_with_its_line(journal):
    lines = journal.read_bytes().split(b"\n")
    lines[1] = b"{damaged"
    journal.write_bytes(b"\n".join(lines))
    with pytest.raises(CannotContinueError, match=r"journal\.log:2: the journal is damaged here"):
        repair_journal(journal, print)


def test_a_lock_left_behind_is_removed_without_a_long_wait(journal):
    lock = journal.with_name("journal.log.lock")
    lock.touch()
    said = []
    began = time.monotonic()
    repair_journal(journal, said.append)
    assert time.monotonic() - began < 5
    assert not lock.exists()
    assert said == ["removed journal.log.lock, the lock of a process that died while it wrote"]


def test_a_batch_is_on_the_disk_at_once_when_it_ends(tmp_path):
    path = tmp_path / "journal.log"
    journal = BatchingJournal(path)
    with journal.batch():
        journal.append_logs([{"a": 1}])
        journal.append_logs([{"a": 2}])
        assert path.read_bytes() == b""
    assert [json.loads(line)["a"] for line in path.read_text().splitlines()] == [1, 2]
