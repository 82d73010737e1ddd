"""doctor, cache."""

import os
import time
from pathlib import Path

import pytest

from designsearch import checkup
from designsearch.runtime.models.serving import extras
from designsearch.search.lock import hold_if_free


def test_doctor_finds_this_machine_fit(command):
    done = command("doctor")
    assert done.status == 0
    assert "all" in done.out
    assert "bundled model" in done.out
    report = command("doctor", "--json").json
    assert report["ok"] is True
    assert {check["state"] for check in report["checks"]} <= {"ok", "note"}


def test_doctor_names_the_command_for_what_is_missing(command, monkeypatch):
    def version(name):
        if name == "hnswlib":
            raise checkup.metadata.PackageNotFoundError(name)
        return "0.1.0" if name == "designsearch" else real(name)

    real = checkup.metadata.version
    monkeypatch.setattr(checkup.metadata, "version", version)
    done = command("doctor")
    assert done.status == 4
    assert "missing  hnswlib" in done.out
    assert "-m pip install 'hnswlib>=0.8.0'" in done.out
    assert command("doctor", "-q").out.count("missing") == 1


def test_doctor_asks_for_a_newer_version(monkeypatch):
    monkeypatch.setattr(checkup.metadata, "requires", lambda _: ["numpy>=99", "pytest; extra == 'dev'"])
    (found,) = checkup._packages()
    assert (found.what, found.state) == ("numpy", "missing")
    assert "numpy>=99 is needed" in found.found


def test_doctor_without_the_bundled_files(monkeypatch):
    monkeypatch.setattr(checkup, "BUNDLED", ("weights/none.safetensors",))
    (found,) = checkup._bundled()
    assert (found.state, found.found) == ("missing", "without none.safetensors")
    assert "wordllama" in found.fix


def test_doctor_without_a_cache_folder(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DESIGNSEARCH_CACHE", str(tmp_path / "file" / "cache"))
    found = checkup._cache()
    assert found.state == "note"
    assert "DESIGNSEARCH_CACHE" in found.fix


def test_doctor_without_a_compiler(monkeypatch):
    monkeypatch.setattr(checkup.shutil, "which", lambda _: None)
    assert checkup._compiler().state == "ok"
    monkeypatch.setattr(checkup, "find_spec", lambda _: None)
    assert checkup._compiler().state == "missing"


def extra_checks():
    return {check.what: check for check in checkup._extras()}


def test_doctor_names_the_command_for_each_extra(monkeypatch):
    monkeypatch.setattr(extras, "installed", lambda _: False)
    found = extra_checks()
    assert found["local model"].state == found["sentence-transformers"].state == "note"
    assert found["local model"].fix == "pip install 'designsearch[local]'"
    assert found["sentence-transformers"].fix == "pip install 'designsearch[st]'"


def test_doctor_tells_a_local_library_without_its_model_from_both(monkeypatch, tmp_path):
    monkeypatch.setattr(extras, "installed", lambda library: library == "xllamacpp")
    monkeypatch.setattr(extras, "bundled_model", lambda: None)
    assert extra_checks()["local model"].fix == "make local-model"
    (tmp_path / "small.gguf").write_bytes(b"x" * 2_000_000)
    monkeypatch.setattr(extras, "bundled_model", lambda: tmp_path / "small.gguf")
    assert extra_checks()["local model"] == ("local model", "ok", "xllamacpp, small.gguf, 2 MB", "")


@pytest.fixture
def cached(world):
    """Three cached files, used now, five and fifty days ago, and one that is none of ours."""
    folder = Path(os.environ["DESIGNSEARCH_CACHE"])
    for name, days in (("aa1", 0), ("aa2", 5), ("bb3", 50)):
        path = folder / name[:2] / f"{name}.npz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * 600_000)
        used = time.time() - days * 86_400 - 60
        os.utime(path, (used, used))
    (folder / "notes.txt").write_text("mine")
    return folder


def names(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_cache_info(command, cached, golden):
    golden("cache_info", command("cache").out)
    assert command("cache", "--json").json == {
        "folder": str(cached),
        "files": 3,
        "bytes": 1_800_000,
        "oldest_days": 50,
        "model_replies_bytes": 0,
        "removed_files": 0,
        "removed_bytes": 0,
    }


def test_cache_prune_by_age(command, cached):
    assert command("cache", "prune", "--days", "30", "--json").json["removed_files"] == 1
    assert names(cached) == ["aa1.npz", "aa2.npz", "notes.txt"]
    assert not (cached / "bb").exists()


def test_cache_prune_by_size(command, cached):
    assert command("cache", "prune", "--max-size", "1", "--json").json["files"] == 1
    assert names(cached) == ["aa1.npz", "notes.txt"]


def test_cache_clear(command, cached):
    done = command("cache", "clear")
    assert "removed  3 files, 1.8 MB" in done.out
    assert names(cached) == ["notes.txt"]


def test_cache_that_is_not_there(command):
    assert command("cache", "clear", "--json").json["files"] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["prune"], "say what to keep"),
        (["clear", "--days", "3"], "belong to cache prune"),
        (["prune", "--days", "-3"], "a whole number from 0 on"),
        (["purge"], "'purge'"),
    ],
)
def test_cache_mistakes(arguments, said, command):
    done = command("cache", *arguments)
    assert done.status == 2
    assert said in done.err


def test_the_replies_of_models_are_shown_and_go_as_a_whole(cached, command):
    folder = cached
    calls = folder / "calls.sqlite"
    calls.write_bytes(b"x" * 3_000_000)
    (folder / "calls.sqlite-wal").write_bytes(b"x" * 1_000_000)
    shown = command("cache")
    assert "of these model replies  4.0 MB" in shown.out
    assert command("cache", "--json").json["model_replies_bytes"] == 4_000_000
    with hold_if_free(folder / "calls.lock"):
        held = command("cache", "clear")
        assert held.status == 4
        assert "another command is using it" in held.err
    assert calls.is_file()
    done = command("cache", "clear", "--json").json
    assert (done["removed_files"] >= 1, done["model_replies_bytes"]) == (True, 0)
    assert not calls.exists()
    assert not (folder / "calls.sqlite-wal").exists()
