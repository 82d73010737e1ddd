import json
import os
import subprocess
import sys

import pytest

from designsearch.dsl.problems import CannotContinueError
from designsearch.search.lock import LOCK, hold_if_free, study_lock

HOLD = """
import sys, time
from pathlib import Path
from designsearch.search.lock import study_lock
with study_lock(Path(sys.argv[1]), print):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_live_process_is_refused_by_its_pid_and_a_dead_one_cleared(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "held\n"
        with pytest.raises(CannotContinueError) as error, study_lock(tmp_path, print):
            pass
        assert error.value.exit_code == 4
        assert f"in use by process {process.pid}" in str(error.value)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    said = []
    with study_lock(tmp_path, said.append):
        assert json.loads((tmp_path / LOCK).read_text()) == {"pid": os.getpid()}
    assert said == [f"cleared the lock of process {process.pid}, which is gone"]


def test_a_lock_that_was_given_back_says_nothing(tmp_path):
    said = []
    for _ in range(2):
        with study_lock(tmp_path, said.append):
            pass
    assert said == []


def test_one_process_cannot_hold_it_twice(tmp_path):
    refused = pytest.raises(CannotContinueError, match=str(os.getpid()))
    with study_lock(tmp_path, print), refused, study_lock(tmp_path, print):
        pass


def test_a_file_is_held_by_one_and_who_comes_later_is_told(tmp_path):
    path = tmp_path / "deep" / "calls.lock"
    with hold_if_free(path) as first, hold_if_free(path) as second:
        assert (first, second) == (True, False)
    with hold_if_free(path) as again:
        assert again
    (tmp_path / "file").touch()
    with hold_if_free(tmp_path / "file" / "calls.lock") as unwritable:
        assert not unwritable
