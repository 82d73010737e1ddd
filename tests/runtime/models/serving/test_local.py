"""Which GGUF file is run and how, without running one; test_local_model.py in tests/integration does."""

import pytest

from designsearch.dsl.problems import UserError
from designsearch.runtime.models.serving import extras, local
from designsearch.runtime.models.serving.local import LocalPlan, file_fingerprint, model_file
from designsearch.runtime.models.settings import ModelSettings
from designsearch.runtime.models.team import Team


@pytest.fixture
def library(monkeypatch):
    monkeypatch.setattr(extras, "installed", lambda _: True)


@pytest.fixture
def gguf(tmp_path, library):
    path = tmp_path / "small.gguf"
    path.write_bytes(b"GGUF" + b"\0" * 5000)
    return path


def of(**more):
    return ModelSettings(model="local", **more)


def told(settings):
    with pytest.raises(UserError) as error:
        model_file("helper", settings)
    return str(error.value)


def test_what_is_missing_is_told_with_the_command(monkeypatch):
    monkeypatch.setattr(extras, "installed", lambda _: False)
    assert told(of()) == (
        "models.helper: local needs xllamacpp, which is not installed: pip install 'designsearch[local]'"
    )
    monkeypatch.setattr(extras, "installed", lambda _: True)
    monkeypatch.setattr(extras, "bundled_model", lambda: None)
    assert told(of()) == (
        "models.helper: local without a file is the bundled model, which is not installed: make local-model"
    )


def test_a_file_that_is_none_is_one_line(library, tmp_path):
    assert told(of(file=str(tmp_path / "none.gguf"))) == (
        f"models.helper.file: {tmp_path / 'none.gguf'} cannot be read (no such file or directory)"
    )
    (tmp_path / "text.gguf").write_text("no model")
    assert told(of(file=str(tmp_path / "text.gguf"))) == (
        f"models.helper.file: {tmp_path / 'text.gguf'} is no GGUF file"
    )


def fingerprint(**more):
    team = Team.open({"helper": of(**more)})
    team.close()
    return team.fingerprints["helper"]


def test_the_content_of_the_file_counts_and_its_folder_does_not(gguf, tmp_path):
    before = fingerprint(file=str(gguf))
    (tmp_path / "elsewhere").mkdir()
    moved = gguf.rename(tmp_path / "elsewhere" / "small.gguf")
    assert fingerprint(file=str(moved)) == before
    content = file_fingerprint(moved)
    moved.write_bytes(b"GGUF" + b"\0" * 4999 + b"\1")
    assert file_fingerprint(moved) != content
    assert fingerprint(file=str(moved)) != before


def test_threads_change_no_reply_and_the_context_may(gguf):
    assert fingerprint(file=str(gguf), threads=4) == fingerprint(file=str(gguf))
    assert fingerprint(file=str(gguf), context_tokens=512) != fingerprint(file=str(gguf))


def test_roles_of_one_file_share_a_server_and_vectors_have_their_own(gguf, monkeypatch):
    plans = []

    class Server:
        url = "http://127.0.0.1:9/v1"

        def __init__(self, plan, role):
            plans.append(plan)

        def stop(self):
            plans.append("stopped")

    monkeypatch.setattr(local, "LocalServer", Server)
    file = str(gguf)
    settings = {
        "helper": of(file=file, context_tokens=1024, concurrency=2),
        "answerer": of(file=file, threads=2),
        "embedder": of(file=file),
    }
    team = Team.open(settings)
    assert plans == []  # nothing is started before it is needed
    for role in ("helper", "answerer", "embedder"):
        team._dialogue(team._seats[role])
    chat = LocalPlan(gguf.resolve(), embedding=False, parallel=2, context_tokens=4096, threads=2)
    assert plans == [chat, LocalPlan(gguf.resolve(), embedding=True, parallel=4, context_tokens=4096, threads=1)]
    other = Team.open(settings)
    other._dialogue(other._seats["helper"])
    assert len(plans) == 2  # shared in the process
    team.close()
    assert plans[2:] == ["stopped"]  # the one for vectors, which nobody else uses
    other.close()
    assert plans[2:] == ["stopped", "stopped"]


def test_a_local_model_needs_no_price_and_stays_here(gguf):
    from designsearch.runtime.models.books.spending import Caps

    team = Team.open({"helper": of(file=str(gguf))}, caps=Caps(usd=1.0))
    assert team.destinations() == ["helper: local (small.gguf) on this machine gets records, questions and answers"]
    team.close()
