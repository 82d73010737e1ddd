"""Files that people name and that are no files: nothing waits for them."""

import os
import signal
import socket
from pathlib import Path

import pytest

from designsearch.dsl.file_digest import file_digest
from designsearch.dsl.problems import InvalidFileError
from designsearch.dsl.regular_file import odd_kind, open_file
from designsearch.dsl.source import read_text

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")


@pytest.fixture(autouse=True)
def no_waiting():
    """A test that waits for a pipe fails."""
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(20)
    yield
    signal.alarm(0)


@pytest.fixture
def pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def test_files_and_folders_are_as_ever(tmp_path):
    (tmp_path / "a").write_bytes(b"text")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert odd_kind(tmp_path) == odd_kind(tmp_path / "a") == odd_kind(tmp_path / "link") == ""
    with open_file(tmp_path / "link") as file:
        assert file.read() == b"text"
    with pytest.raises(FileNotFoundError):
        open_file(tmp_path / "none")
    with pytest.raises(IsADirectoryError):
        open_file(tmp_path)


def test_what_is_no_file_is_called_by_its_name(pipe, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("socket")
        assert odd_kind(Path("socket")) == "a socket"
    assert odd_kind(pipe) == "a pipe"
    assert odd_kind(Path("/dev/null")) == "a device"
    (tmp_path / "link").symlink_to(pipe)
    assert odd_kind(tmp_path / "link") == "a pipe"


def test_a_pipe_is_not_waited_for(pipe):
    with pytest.raises(OSError, match="it is a pipe; write its content to a file and name that"):
        open_file(pipe)
    with pytest.raises(InvalidFileError) as error:
        read_text(pipe)
    assert str(error.value) == f"{pipe}: cannot be read: it is a pipe; write its content to a file and name that"


def test_a_pipe_that_a_design_names_has_no_content(pipe):
    assert file_digest(pipe) is None
    assert file_digest(Path("/dev/null")) is None
