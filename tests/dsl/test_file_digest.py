"""What a file or folder holds, in a few digits."""

import os

from designsearch.dsl.file_digest import file_digest


def test_a_file_is_what_it_holds_wherever_it_lies(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"weights" * 300_000)
    other.write_bytes(b"weights" * 300_000)
    digest = file_digest(one)
    assert digest == file_digest(other)
    assert len(digest) == 16
    one.write_bytes(b"Weights" * 300_000)
    os.utime(one, ns=(1, 1))
    assert file_digest(one) != digest


def test_a_folder_is_its_files_with_their_names(tmp_path):
    (tmp_path / "a/deep").mkdir(parents=True)
    (tmp_path / "a/deep/x").write_text("1")
    (tmp_path / "a/y").write_text("2")
    first = file_digest(tmp_path / "a")
    (tmp_path / "a/y").rename(tmp_path / "a/z")
    assert first != file_digest(tmp_path / "a")
    (tmp_path / "a/z").rename(tmp_path / "a/y")
    assert first == file_digest(tmp_path / "a")


def test_what_is_not_there_has_none(tmp_path):
    (tmp_path / "empty").mkdir()
    assert file_digest(tmp_path / "empty") is None
    assert file_digest(tmp_path / "nothing") is None
