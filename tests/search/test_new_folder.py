"""Folders for results, looked at before they are made."""

import os
from pathlib import Path

import pytest

from designsearch.dsl.problems import CannotContinueError, UserError
from designsearch.search.new_folder import check_makable, make_folder


def test_a_look_makes_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in (tmp_path, tmp_path / "a" / "b", Path(), Path("a")):
        check_makable(folder)
    assert list(tmp_path.iterdir()) == []
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()


def test_a_file_in_its_place_or_above_it_is_told(tmp_path):
    (tmp_path / "a").write_text("", encoding="utf-8")
    with pytest.raises(UserError) as error:
        check_makable(tmp_path / "a")
    assert str(error.value) == f"{tmp_path / 'a'}: is a file; name a folder"
    with pytest.raises(UserError) as error:
        check_makable(tmp_path / "a" / "b" / "c")
    assert str(error.value) == f"{tmp_path / 'a/b/c'}: cannot be made: {tmp_path / 'a'} is a file"
    with pytest.raises(CannotContinueError, match="cannot be made: not a directory"):
        make_folder(tmp_path / "a" / "b")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user who may not write everywhere")
def test_where_nothing_may_be_written_is_told(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(CannotContinueError, match=r"cannot be made: .* may not be written to"):
        check_makable(tmp_path / "a")
    tmp_path.chmod(0o700)
