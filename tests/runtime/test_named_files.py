"""Files that designs name, read once."""

import pickle

import pytest

from designsearch.dsl.file_digest import file_digest
from designsearch.dsl.problems import CannotContinueError
from designsearch.runtime.named_files import NamedFiles


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "w.json"
    path.write_text("one", encoding="utf-8")
    return path


def test_what_was_read_stays_whatever_is_written_there(file):
    files, digest = NamedFiles(), file_digest(file)
    assert files.get("text", file, digest, lambda path: path.read_text()) == "one"
    file.write_text("two", encoding="utf-8")
    assert files.get("text", file, digest, lambda path: path.read_text()) == "one"
    file.unlink()
    assert files.get("text", file, digest, lambda path: path.read_text()) == "one"


def test_equal_content_is_read_once_and_each_kind_by_itself(file, tmp_path):
    other = tmp_path / "copy.json"
    other.write_text("one", encoding="utf-8")
    files, digest, read = NamedFiles(), file_digest(file), []
    for path in (file, other, file):
        files.get("text", path, digest, read.append)
    assert read == [file]
    assert files.get("length", other, digest, lambda path: len(path.read_text())) == 3


@pytest.mark.parametrize("change", [lambda file: file.write_text("two"), lambda file: file.unlink()])
def test_what_is_no_longer_there_is_not_read(file, change):
    digest = file_digest(file)
    change(file)
    with pytest.raises(CannotContinueError, match=r"w\.json: is no longer what it was when the design"):
        NamedFiles().get("text", file, digest, lambda path: pytest.fail("it was read"))


def test_what_changes_while_it_is_read_is_not_kept(file):
    files, digest = NamedFiles(), file_digest(file)
    with pytest.raises(CannotContinueError, match="is no longer what it was"):
        files.get("text", file, digest, lambda path: path.write_text("two"))
    file.write_text("one", encoding="utf-8")
    assert files.get("text", file, digest, lambda path: path.read_text()) == "one"


def test_what_was_not_there_is_told_by_whoever_reads_it_and_not_used_when_it_comes(file, tmp_path):
    with pytest.raises(FileNotFoundError):
        NamedFiles().get("text", tmp_path / "none", None, lambda path: path.read_text())
    with pytest.raises(CannotContinueError, match="is no longer what it was"):
        NamedFiles().get("text", file, None, lambda path: path.read_text())


def test_a_copy_in_another_process_reads_for_itself(file):
    files = NamedFiles()
    files.get("text", file, file_digest(file), lambda path: lambda: path)  # no process could be sent this
    assert pickle.loads(pickle.dumps(files)).get("text", file, file_digest(file), lambda path: 2) == 2
