"""What lies below folders, and what of it may not be looked at."""

import os
from pathlib import Path

import pytest
from small_world import write_lines

from designsearch.forgetting.places import look

TEXT = "The spare key of the workshop lies under the third blue flower pot"


@pytest.fixture
def closed(world, monkeypatch):
    """A folder that may not be read, for whoever runs this."""
    Path("in/closed").mkdir(parents=True)
    write_lines("in/closed/notes.jsonl", [{"note": TEXT}])
    scan = os.scandir

    def denied(path="."):
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", denied)
    return Path("in/closed")


def test_a_folder_that_may_not_be_read_is_left(closed, command):
    write_lines("talk.jsonl", [{"id": "k1", "text": TEXT}])
    done = command("forget", "k1", "--history", "talk.jsonl", "--in", "in", "--json")
    assert done.status == 4
    assert done.json["left"] == [{"file": "in/closed", "what": "could not be searched (permission denied)"}]


def test_a_folder_whose_names_alone_may_be_read_is_closed(world, monkeypatch):
    Path("in/half").mkdir(parents=True)
    Path("in/half/a.txt").write_text("x")
    Path("in/b.txt").write_text("x")
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "half" and access(path, mode))
    places = look([Path("in")])
    assert (places.files, places.closed) == ((Path("in/b.txt"),), {Path("in/half"): "permission denied"})
