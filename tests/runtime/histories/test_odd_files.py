"""Histories and questions that are named as pipes or devices: refused in one line, and not waited for."""

import os
import signal
from pathlib import Path

import pytest

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import formats, load
from designsearch.runtime.histories.files import head_text, read_bytes
from designsearch.runtime.histories.questions import load_questions

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
    os.mkfifo(tmp_path / "chats.jsonl")
    return tmp_path / "chats.jsonl"


@pytest.mark.parametrize("format_name", ["auto", *formats()])
def test_a_history_is_no_pipe(pipe, format_name):
    with pytest.raises(UserError) as error:
        load(pipe, format_name)
    assert str(error.value) == f"{pipe}: is a pipe, no file or folder; write its content to a file and name that"


def test_a_history_is_no_device():
    with pytest.raises(UserError) as error:
        load("/dev/null")
    assert str(error.value) == "/dev/null: is a device, no file or folder; write its content to a file and name that"


def test_questions_are_no_pipe(pipe, tmp_path):
    (tmp_path / "history.jsonl").write_text('{"id": "a", "text": "hello"}\n')
    with pytest.raises(UserError) as error:
        load_questions(pipe, load(tmp_path / "history.jsonl"))
    assert str(error.value) == f"{pipe}: cannot be read (it is a pipe; write its content to a file and name that)"


def test_a_look_at_a_pipe_sees_nothing(pipe):
    assert head_text(pipe) == ""
    with pytest.raises(UserError):
        read_bytes(Path("/dev/zero"))
