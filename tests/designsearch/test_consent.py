"""The note about what becomes of a history."""

import json
from pathlib import Path

import pytest

from designsearch import consent
from designsearch.cli.output import Output

SERVER = "planner: big-model at https://models.example/v1"


@pytest.fixture
def noted(world, capsys):
    """Note a history; what was said on stderr."""

    def call(fingerprint="aa11", destinations=(), folder=Path("out"), out=None):
        said = consent.note(out or Output(), "chats.jsonl", fingerprint, destinations, folder)
        captured = capsys.readouterr()
        assert captured.out == ""
        assert said == bool(captured.err)
        return captured.err

    return call


def test_it_is_said_once_for_a_history_as_it_stands(noted, golden):
    golden("consent_local", noted())
    assert noted() == ""
    assert noted(folder=Path("elsewhere")) == ""
    assert noted(fingerprint="bb22") != ""


def test_it_is_said_again_where_somebody_else_gets_the_text(noted, golden):
    noted()
    golden("consent_sent", noted(destinations=[SERVER]))
    assert noted(destinations=[SERVER]) == ""
    assert noted() == ""
    assert "other.example" in noted(destinations=[SERVER, "reader: m at https://other.example/v1"])


@pytest.mark.parametrize("out", [Output(json=True), Output(quiet=True)])
def test_stdout_stays_clean_and_the_note_is_not_lost(noted, out):
    assert "designsearch forget" in noted(out=out)


def test_it_is_kept_beside_the_output_and_for_the_user(noted, tmp_path):
    noted(destinations=[SERVER])
    noted(destinations=[SERVER])
    (kept,) = map(json.loads, Path("out/consent.jsonl").read_text(encoding="utf-8").splitlines())
    assert (kept["history"], kept["fingerprint"], kept["destinations"]) == ("chats.jsonl", "aa11", [SERVER])
    (own,) = map(json.loads, (tmp_path / "cache" / "consent.jsonl").read_text(encoding="utf-8").splitlines())
    assert own == {"fingerprint": "aa11", "destinations": [SERVER], "shown": own["shown"]}


def test_a_folder_that_cannot_be_written_to_blocks_nothing(noted, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DESIGNSEARCH_CACHE", str(tmp_path / "file"))
    assert noted(folder=tmp_path / "file") != ""
    assert noted(folder=None) != ""


def test_a_damaged_record_counts_as_never_said(noted, tmp_path):
    path = tmp_path / "cache" / "consent.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"\xff{\n[1]\n")
    assert noted() != ""
    assert noted() == ""


@pytest.mark.parametrize("written", ['{"id": "m1", "text": "mine"}\n', "my notes\n", "[1]\n\n"])
def test_a_file_of_somebody_else_is_left_as_it_is(noted, written):
    Path("out").mkdir()
    Path("out/consent.jsonl").write_text(written, encoding="utf-8")
    assert noted() != ""
    assert Path("out/consent.jsonl").read_text(encoding="utf-8") == written


def test_emptying_the_cache_does_not_bring_it_back(noted, command):
    noted()
    assert command("cache", "clear").status == 0
    assert noted() == ""
